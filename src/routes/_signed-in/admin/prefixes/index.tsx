import { createFileRoute } from '@tanstack/react-router'
import { loadPrefixes } from '../../../../transit/portal/staff/loaders.ts'
import { PrefixListPage } from '../../../../transit/portal/staff/PrefixListPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'
import { listSearch } from '../../../-list-search.ts'

export const Route = createFileRoute('/_signed-in/admin/prefixes/')({
  validateSearch: ({
    status,
    ...raw
  }: Record<string, unknown>): { status?: string; search?: string; sort?: string | undefined } => ({
    // The raw value: a number or a list is no status either, and the page says so.
    ...(status !== undefined &&
      status !== '' && { status: typeof status === 'string' ? status : JSON.stringify(status) }),
    ...listSearch(raw),
  }),
  // Not the search text: while the user types, the rows stay.
  loaderDeps: ({ search: { status } }) => ({ status }),
  loader: ({ deps, location }) => loadPrefixes(deps.status, listSearch(location.search)),
  head: titled('Prefix list'),
  component: PrefixListPage,
})
