import type { AuditActionOf } from '../../../kernel/audit-actions.ts'
import type { AuditSentences } from '../../../ui/staff/audit-sentences.ts'

export const ADMIN_SENTENCES: AuditSentences<AuditActionOf<'admin'>> = {
  'site_content.changed': 'changed the site content',
  'mail.retried': 'queued {it} again',
  'mail.dismissed': 'dismissed {it}',
  'audit.verification_requested': 'started a verification of the audit log',
}
