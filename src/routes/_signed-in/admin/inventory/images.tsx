import { createFileRoute } from '@tanstack/react-router'
import { loadImages } from '../../../../routers/portal/staff/loaders.ts'
import { ImagesPage } from '../../../../routers/portal/staff/inventory/ImagesPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/inventory/images')({
  loader: loadImages,
  head: titled('Images'),
  component: ImagesPage,
})
