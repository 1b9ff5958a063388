import { createFileRoute } from '@tanstack/react-router'
import { WebhookPage } from '../../webhooks/portal/WebhookPage.tsx'
import { loadWebhook } from '../../webhooks/portal/loaders.ts'
import { titled } from '../../ui/runtime/title.ts'
import { integerId } from '../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/settings_/webhooks/$id')({
  params: integerId,
  loader: ({ params }) => loadWebhook(params.id),
  head: titled('Webhook'),
  component: WebhookPage,
})
