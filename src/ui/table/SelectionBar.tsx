import type { ReactNode } from 'react'
import { Button } from '../components/Button.tsx'
import { grouped } from '../components/quantity.ts'

/** Shows how many rows are selected and the actions for them, in reach wherever the list is scrolled to. */
export function SelectionBar({
  count,
  onClear,
  children,
}: {
  count: number
  onClear: () => void
  children: ReactNode
}) {
  return (
    <div className="sticky bottom-0 z-2 max-md:hidden">
      {/* Rendered before it has text, so that the first selection is announced too. */}
      <output className="sr-only">{count > 0 && `${grouped(count)} selected`}</output>
      {count > 0 && (
        <section
          aria-label="Selected rows"
          className="mt-3 flex flex-wrap items-center gap-2 rounded-md border border-line-strong bg-surface px-3 py-2 shadow-(--shadow)"
        >
          <span className="num mr-1 text-sm font-medium">{grouped(count)} selected</span>
          {children}
          <Button variant="quiet" changes={false} onClick={onClear} className="ml-auto">
            Clear selection
          </Button>
        </section>
      )}
    </div>
  )
}
