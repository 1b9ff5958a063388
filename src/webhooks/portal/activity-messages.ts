import type { AuditActionOf } from '../../kernel/audit-actions.ts'
import { because, text, type ActivityMessages } from '../../ui/components/audit-data.ts'

export const WEBHOOK_ACTIVITY: ActivityMessages<AuditActionOf<'webhooks'>> = {
  'webhook.added': (data) => `A webhook to ${text(data, 'url')} was added`,
  'webhook.changed': 'A webhook was changed',
  'webhook.removed': (data) => `The webhook to ${text(data, 'url')} was removed`,
  'webhook.secret_renewed': 'A webhook secret was rolled',
  'webhook.replayed': (data) => `${text(data, 'queued')} webhook messages were sent again`,
  'webhook.disabled': (data) => `The webhook to ${text(data, 'url')} was switched off${because(data)}`,
}
