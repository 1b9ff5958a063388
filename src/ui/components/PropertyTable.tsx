import type { ReactNode } from 'react'

export interface Property {
  readonly label: string
  readonly value: ReactNode
  /** Takes the full width, for a UUID or a list. */
  readonly wide?: boolean
}

/** Details of one thing: ruled, two columns, quiet labels. */
export function PropertyTable({ items }: { items: readonly Property[] }) {
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-px overflow-hidden rounded-md border border-line bg-line md:grid-cols-2 [&>div]:bg-surface">
      {items.map((item, index) => {
        const next = items[index + 1]
        const alone = item.wide || (columnOf(items, index) === 0 && (!next || next.wide))
        return (
          <div
            key={item.label}
            className={`flex min-h-9.5 items-center gap-3 px-3 py-1.5 ${alone ? 'md:col-span-2' : ''}`}
          >
            <dt className="w-28 shrink-0 text-sm text-faint">{item.label}</dt>
            <dd className="min-w-0 flex-1 text-base wrap-anywhere">{item.value}</dd>
          </div>
        )
      })}
    </dl>
  )
}

/** Returns the column of an item, counted from the wide ones before it. */
function columnOf(items: readonly Property[], index: number): number {
  return items.slice(0, index).reduce((column, item) => (item.wide ? 0 : (column + 1) % 2), 0)
}
