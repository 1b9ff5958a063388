import { useEffect, useRef } from 'react'
import { Icon } from '../components/Icon.tsx'
import { EndpointDetail } from './EndpointDetail.tsx'
import { withCode } from './with-code.tsx'
import type { ApiEndpoint } from './openapi-document.ts'

const TEXT_COLOR: Readonly<Record<string, string>> = {
  GET: 'text-accent',
  POST: 'text-ok',
  PUT: 'text-warn',
  PATCH: 'text-warn',
  DELETE: 'text-bad',
}

/** One endpoint: its line, and its details once opened. Its address leads here. */
export function EndpointItem({
  endpoint,
  open,
  onToggle,
}: {
  endpoint: ApiEndpoint
  open: boolean
  onToggle: () => void
}) {
  const item = useRef<HTMLLIElement>(null)
  const linked = useRef(location.hash === `#${endpoint.operationId}`)
  useEffect(() => {
    if (linked.current) item.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <li ref={item} id={endpoint.operationId} className="scroll-mt-4">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          onClick={onToggle}
          className="flex w-full flex-wrap items-baseline gap-x-3 gap-y-0.5 px-3 py-2 text-left hover:bg-sunken"
        >
          <span className={`w-14 shrink-0 font-mono text-xs font-semibold ${TEXT_COLOR[endpoint.method] ?? ''}`}>
            {endpoint.method}
          </span>
          <code className="min-w-0 font-mono text-sm font-medium wrap-anywhere">{endpoint.path}</code>
          <span className="min-w-0 flex-1 basis-full sm:basis-60 text-sm text-dim">{withCode(endpoint.summary)}</span>
          <Icon name={open ? 'up' : 'down'} size={12} className="self-center text-faint max-sm:hidden" />
        </button>
      </h3>
      {open && <EndpointDetail endpoint={endpoint} />}
    </li>
  )
}
