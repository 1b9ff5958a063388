import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ServerSort } from './ManagedTable.tsx'
import { readSort, writeSort } from './sort-text.ts'

/** The order is in the address, like the search: it is there on the way back, and in shared links. */
export function useServerSort(columns: readonly string[]): ServerSort {
  const asked: unknown = useSearch({ strict: false, select: ({ sort }: { sort?: unknown }) => sort })
  const navigate = useNavigate()
  return {
    columns,
    current: readSort(asked, columns),
    onChange: (sort) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, sort: writeSort(sort) }),
        replace: true,
        resetScroll: false,
      }),
  }
}
