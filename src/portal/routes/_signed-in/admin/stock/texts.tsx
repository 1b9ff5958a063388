import { createFileRoute } from '@tanstack/react-router'
import { loadTexts } from '../../../../../admin/portal/loaders.ts'
import { TextsPage } from '../../../../../admin/portal/stock/TextsPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/stock/texts')({
  loader: loadTexts,
  head: titled('Site content'),
  component: TextsPage,
})
