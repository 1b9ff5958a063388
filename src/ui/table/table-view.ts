/** A reader's view of a table: stored in local storage by table. */
import { useState } from 'react'

export interface TableView {
  /** Ids of the hidden columns. */
  readonly hidden: readonly string[]
  readonly compact: boolean
}

const keyOf = (table: string) => `longhaul.table.${table}`

/** `hidden` are the columns hidden by default. The stored value may be from an earlier release, or invalid. */
export function readTableView(table: string, hidden: readonly string[]): TableView {
  const initial = { hidden, compact: false }
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(table)) ?? '')
    if (typeof kept !== 'object' || kept === null) return initial
    const { hidden: chosen, compact } = kept as Record<string, unknown>
    return {
      hidden: Array.isArray(chosen) ? chosen.filter((id) => typeof id === 'string') : hidden,
      compact: compact === true,
    }
  } catch {
    return initial
  }
}

/** With a full or disabled storage, the choice is lost with the page. */
export function writeTableView(table: string, view: TableView, hidden: readonly string[]): void {
  try {
    if (!view.compact && isSameSet(view.hidden, hidden)) localStorage.removeItem(keyOf(table))
    else localStorage.setItem(keyOf(table), JSON.stringify(view))
  } catch {
    // Nothing depends on it.
  }
}

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one))

export function useTableView(table: string, hidden: readonly string[]) {
  const [view, setView] = useState(() => readTableView(table, hidden))
  const change = (next: TableView) => {
    setView(next)
    writeTableView(table, next, hidden)
  }
  return [view, change] as const
}
