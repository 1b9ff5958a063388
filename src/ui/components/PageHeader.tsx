import type { ReactNode } from 'react'

/**
 * The top of a page: the name, its state beside it, its actions at the right. `above` holds the breadcrumbs of pages
 * below a section's first.
 */
export function PageHeader({
  title,
  above,
  status,
  summary,
  actions,
}: {
  title: ReactNode
  above?: ReactNode
  status?: ReactNode
  summary?: ReactNode
  actions?: ReactNode
}) {
  return (
    <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        {above && <div className="mb-0.5 text-sm text-faint">{above}</div>}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-xl font-semibold tracking-[-0.011em] wrap-anywhere">{title}</h1>
          {status}
        </div>
        {summary && <p className="mt-0.5 max-w-[75ch] text-base text-pretty text-dim">{summary}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}

/** A part of a page with its own heading. */
export function Section({
  title,
  summary,
  actions,
  children,
  id,
}: {
  title: string
  summary?: ReactNode
  actions?: ReactNode
  children: ReactNode
  id?: string
}) {
  return (
    <section className="mt-7 first:mt-0 [header+&]:mt-5" id={id}>
      {/* As high as a button, so that the spacing of headings is the same with actions and without. */}
      <div className="mb-2 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <h2 className="text-lg font-semibold">{title}</h2>
          {summary && <p className="max-w-[75ch] text-sm text-pretty text-dim">{summary}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  )
}

/** A bordered surface for content that is neither a table nor a list of details. */
export const Panel = ({ children, className = 'p-4' }: { children: ReactNode; className?: string }) => (
  <div className={`rounded-md border border-line bg-surface ${className}`}>{children}</div>
)
