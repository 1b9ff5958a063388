import { CodeBlock } from '../../ui/components/CodeBlock.tsx'
import type { TransitConnection, TransitPrefix } from '../contract.ts'
import { configurations, readPeering } from './dialects/index.ts'

/** For those who run other software on the router than the image brings, or want to see what it does. */
export function RouterConfigurations({
  connection,
  prefixes,
}: {
  connection: TransitConnection
  prefixes: readonly TransitPrefix[]
}) {
  const peering = readPeering(connection, prefixes)
  if (!peering) return null
  return (
    <details className="group rounded-md border border-line bg-surface">
      <summary className="flex min-h-9.5 list-none items-center gap-2 px-3 text-sm font-medium -outline-offset-2 hover:bg-hover">
        <span aria-hidden className="text-faint transition-transform group-open:rotate-90">
          ›
        </span>
        Manual router configuration
        <span className="font-normal text-faint max-sm:hidden">BIRD 2, FRR, OpenBGPD, RouterOS, VyOS</span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 px-3 pb-3 text-sm text-dim">
        <p>
          Only needed if you configure your router by hand; our image configures itself. It announces approved prefixes
          only.
        </p>
        <CodeBlock label="Router configuration" snippets={configurations(peering)} />
      </div>
    </details>
  )
}
