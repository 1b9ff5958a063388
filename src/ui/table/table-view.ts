/** A reader's view of a table: stored in local storage by table. */
import { useState } from 'react'

export interface TableView {
  /** Ids of the hidden columns. */
  readonly hidden: readonly string[]
  readonly compact: boolean
}

const DEFAULT: TableView = { hidden: [], compact: false }
const keyOf = (table: string) => `longhaul.table.${table}`

/** The stored value may be from an earlier release, or invalid. */
export function readTableView(table: string): TableView {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(table)) ?? '')
    if (typeof kept !== 'object' || kept === null) return DEFAULT
    const { hidden, compact } = kept as Record<string, unknown>
    return {
      hidden: Array.isArray(hidden) ? hidden.filter((id) => typeof id === 'string') : [],
      compact: compact === true,
    }
  } catch {
    return DEFAULT
  }
}

/** With a full or disabled storage, the choice is lost with the page. */
export function writeTableView(table: string, view: TableView): void {
  try {
    if (view.hidden.length === 0 && !view.compact) localStorage.removeItem(keyOf(table))
    else localStorage.setItem(keyOf(table), JSON.stringify(view))
  } catch {
    // Nothing depends on it.
  }
}

export function useTableView(table: string) {
  const [view, setView] = useState(() => readTableView(table))
  const change = (next: TableView) => {
    setView(next)
    writeTableView(table, next)
  }
  return [view, change] as const
}
