import { useState, type ReactNode } from 'react'

/** A section that most readers leave closed. It is rendered when first opened, and then stays. */
export function Disclosure({ title, hint, children }: { title: string; hint: string; children: () => ReactNode }) {
  const [drawn, setDrawn] = useState(false)
  return (
    <details className="group rounded-md border border-line bg-surface" onToggle={() => setDrawn(true)}>
      <summary className="flex min-h-9.5 list-none items-center gap-2 px-3 text-sm font-medium -outline-offset-2 hover:bg-hover">
        <span aria-hidden className="text-faint transition-transform group-open:rotate-90">
          ›
        </span>
        {title}
        <span className="font-normal text-faint max-sm:hidden">{hint}</span>
      </summary>
      {drawn && <div className="grid grid-cols-[minmax(0,1fr)] gap-2 px-3 pb-3 text-sm text-dim">{children()}</div>}
    </details>
  )
}
