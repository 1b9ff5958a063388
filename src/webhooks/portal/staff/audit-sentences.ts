import type { AuditActionOf } from '../../../kernel/audit-actions.ts'
import { text } from '../../../ui/components/audit-data.ts'
import type { AuditSentences } from '../../../ui/staff/audit-sentences.ts'

export const WEBHOOKS_SENTENCES: AuditSentences<AuditActionOf<'webhooks'>> = {
  'webhook.added': (data) => `added a webhook to ${text(data, 'url')}`,
  'webhook.changed': 'changed {it}',
  'webhook.removed': (data) => `removed the webhook to ${text(data, 'url')}`,
  'webhook.secret_renewed': 'rolled the secret of {it}',
  'webhook.replayed': (data) => `sent ${text(data, 'queued')} messages of {it} again`,
  'webhook.disabled': (data) => `switched off the webhook to ${text(data, 'url')}`,
}
