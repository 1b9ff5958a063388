import { createFileRoute } from '@tanstack/react-router'
import { loadImages } from '../../../../../admin/portal/loaders.ts'
import { ImagesPage } from '../../../../../admin/portal/stock/ImagesPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/stock/images')({
  loader: loadImages,
  head: titled('Images'),
  component: ImagesPage,
})
