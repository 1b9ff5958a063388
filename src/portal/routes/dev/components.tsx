import { createFileRoute, notFound } from '@tanstack/react-router'
import { lazy } from 'react'
import { titled } from '../../title.ts'

const Parts = import.meta.env.DEV
  ? lazy(async () => ({ default: (await import('../../ComponentsPage.tsx')).ComponentsPage }))
  : () => null

/** All parts on one page, to look at. There in development builds alone. */
export const Route = createFileRoute('/dev/components')({
  beforeLoad: () => {
    if (!import.meta.env.DEV) throw notFound()
  },
  head: titled('Components'),
  component: Parts,
})
