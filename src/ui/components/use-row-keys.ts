import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react'

/**
 * Moves between rows with the arrow keys, starting at the filter. Enter in the filter opens the only row. Pressed
 * before the rows match the text, it waits: the only row of an earlier text may be the wrong one.
 */
export function useRowKeys(box: RefObject<HTMLElement | null>, answered: boolean) {
  const opens = useRef(false)

  useEffect(() => {
    if (answered && opens.current) openOnly(box.current)
    if (answered) opens.current = false
  }, [box, answered])

  return (event: KeyboardEvent) => {
    const at = event.target
    if (!(at instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const filter = at.matches('[data-table-filter]')
    opens.current = filter && event.key === 'Enter' && !answered
    if (filter && event.key === 'Enter' && answered) return openOnly(box.current)
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || !(filter ? step > 0 : at.matches(ROW))) return
    const rows = linksIn(box.current)
    const next = rows.indexOf(at) + step
    event.preventDefault()
    if (next < 0) box.current?.querySelector<HTMLElement>('[data-table-filter]')?.focus()
    else rows[next]?.focus()
  }
}

/** The link of a row in a table, or the summary of an expandable row. */
const ROW = 'tbody .row-link, summary[data-row]'
const linksIn = (box: HTMLElement | null) => [...(box?.querySelectorAll<HTMLElement>(ROW) ?? [])]

function openOnly(box: HTMLElement | null): void {
  const [only, ...others] = linksIn(box)
  if (only && others.length === 0) only.click()
}
