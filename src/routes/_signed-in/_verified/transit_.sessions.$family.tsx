import { createFileRoute, notFound } from '@tanstack/react-router'
import { loadSession } from '../../../transit/portal/loaders.ts'
import { SessionPage } from '../../../transit/portal/SessionPage.tsx'
import { titled } from '../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/_verified/transit_/sessions/$family')({
  params: {
    parse: ({ family }): { family: 4 | 6 } => {
      if (family !== '4' && family !== '6') throw notFound()
      return { family: family === '4' ? 4 : 6 }
    },
    stringify: ({ family }) => ({ family: String(family) }),
  },
  loader: loadSession,
  head: titled('BGP session'),
  component: SessionPage,
})
