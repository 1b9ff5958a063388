/** Staff resend the email of an invoice. */
import type { UserId } from '../../kernel/ids.ts'
import { requireResendCapacity } from '../../accounts/index.ts'
import { conflict, notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { BillingEmails } from '../emails.ts'
import { recordBillingEvent } from '../events.ts'
import '../tables.ts'

/** Throws 409 if the invoice is not issued yet, or its first email has not gone out yet. */
export async function resendInvoice(
  db: Db,
  emails: BillingEmails,
  { actor, staffId, invoiceId }: { readonly actor: Actor; readonly staffId: UserId; readonly invoiceId: number },
  now: Date,
): Promise<void> {
  const invoice = await db
    .selectFrom('invoices')
    .innerJoin('users', 'users.account_id', 'invoices.account_id')
    .select(['users.id as userId', 'invoices.account_id', 'number', 'issued_at', 'mailed_at', 'closed_at'])
    .where('invoices.id', '=', invoiceId)
    .executeTakeFirst()
  if (!invoice) throw notFound()
  if (invoice.closed_at) throw conflict('This account is closed and gets no email.')
  if (!invoice.issued_at) throw conflict('This invoice is a draft. It is emailed when it is issued.')
  if (!invoice.mailed_at) throw conflict('This invoice is being emailed. Wait a minute.')
  await requireResendCapacity(db, { staffId, userId: invoice.userId, email: `invoice ${invoiceId}`, now })
  await emails.send(db, invoice.account_id, { kind: 'invoice', invoiceId, again: true })
  const subject = { type: 'invoice', id: invoiceId, accountId: invoice.account_id }
  await recordBillingEvent(db, actor, subject, 'invoice.resent', { number: invoice.number })
}
