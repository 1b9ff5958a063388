import { createFileRoute } from '@tanstack/react-router'
import { PrefixListPage } from '../../../../../admin/portal/PrefixListPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/prefixes/')({
  validateSearch: ({ status }: Record<string, unknown>): { status?: string } =>
    typeof status === 'string' && status !== '' ? { status } : {},
  head: titled('Prefixes'),
  component: PrefixListPage,
})
