import { createFileRoute } from '@tanstack/react-router'
import { loadPrefixes } from '../../../../../admin/portal/loaders.ts'
import { PrefixListPage } from '../../../../../admin/portal/PrefixListPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/prefixes/')({
  validateSearch: ({ status }: Record<string, unknown>): { status?: string } =>
    typeof status === 'string' && status !== '' ? { status } : {},
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => loadPrefixes(deps.status),
  head: titled('Prefix list'),
  component: PrefixListPage,
})
