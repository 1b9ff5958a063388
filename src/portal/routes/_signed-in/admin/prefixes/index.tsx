import { createFileRoute } from '@tanstack/react-router'
import { loadPrefixes } from '../../../../../admin/portal/loaders.ts'
import { PrefixListPage } from '../../../../../admin/portal/PrefixListPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/prefixes/')({
  validateSearch: ({ status }: Record<string, unknown>): { status?: string } =>
    // As it stands in the address: a number or a list is no status either, and is said to be none.
    status === undefined || status === ''
      ? {}
      : { status: typeof status === 'string' ? status : JSON.stringify(status) },
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => loadPrefixes(deps.status),
  head: titled('Prefix list'),
  component: PrefixListPage,
})
