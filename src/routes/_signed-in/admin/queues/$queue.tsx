import { createFileRoute, notFound } from '@tanstack/react-router'
import { loadQueue } from '../../../../admin/portal/loaders.ts'
import { QueuePage } from '../../../../admin/portal/queues/QueuePage.tsx'
import { QUEUES, type QueueName } from '../../../../admin/queues/names.ts'
import { pageTitle } from '../../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/queues/$queue')({
  params: {
    parse: ({ queue }): { queue: QueueName } => {
      const known = QUEUES.find((one) => one === queue)
      if (!known) throw notFound()
      return { queue: known }
    },
    stringify: ({ queue }) => ({ queue }),
  },
  loader: ({ params }) => loadQueue(params.queue),
  head: ({ loaderData }) => ({ meta: [{ title: pageTitle(loaderData?.label ?? 'Queue') }] }),
  component: QueuePage,
})
