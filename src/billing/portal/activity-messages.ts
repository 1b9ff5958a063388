import type { AuditActionOf } from '../../kernel/audit-actions.ts'
import { because, ofAmount, text, type ActivityMessages, type AuditData } from '../../ui/components/audit-data.ts'

const invoice = (data: AuditData): string => (text(data, 'number') ? `Invoice ${text(data, 'number')}` : 'An invoice')
const ending = (data: AuditData): string => (text(data, 'last4') ? ` ending in ${text(data, 'last4')}` : '')
const item = (data: AuditData): string => (text(data, 'kind') === 'CREDIT' ? 'credit' : 'fee')
const what = (data: AuditData): string => (text(data, 'description') ? `: ${text(data, 'description')}` : '')
const percent = (data: AuditData): string => (text(data, 'percent') ? ` of ${text(data, 'percent')} %` : '')
const fromDay = (data: AuditData): string => (text(data, 'from') ? ` from ${text(data, 'from').slice(0, 10)}` : '')
const untilDay = (data: AuditData): string => (text(data, 'until') ? ` until ${text(data, 'until').slice(0, 10)}` : '')

const STAGES: Readonly<Record<string, string>> = {
  CURRENT: 'No invoices are overdue',
  REMINDED: 'A reminder was sent: an invoice is overdue',
  WARNED: 'A last warning was sent: an invoice is overdue',
  DRAINED: 'Prefixes are announced as a last resort: an invoice is overdue',
  SESSIONS_DOWN: 'BGP sessions were shut down: an invoice is overdue',
  SUSPENDED: 'Routers were stopped: an invoice is overdue',
  TERMINATED: 'The service ended: an invoice was not paid',
}

type StaffOnly = 'price.added' | 'price.removed' | 'tax_rate.set'

export const BILLING_ACTIVITY: ActivityMessages<Exclude<AuditActionOf<'billing'>, StaffOnly>> = {
  'payment_method.added': (data) => `A card${ending(data)} was added`,
  'payment_method.removed': (data) => `A card${ending(data)} was removed`,
  'payment_method.made_default': (data) => `The card${ending(data)} is now the default`,
  'billing_address.changed': 'The billing address was changed',
  'billing_settings.changed': 'The billing settings were changed',
  'invoice.resent': (data) => `Staff sent ${invoice(data)} by email again`,
  'invoice.issued': (data) => `${invoice(data)} was issued`,
  'invoice.paid': (data) => `${invoice(data)} was paid`,
  'invoice.overdue': (data) => `${invoice(data)} is overdue`,
  'invoice.credited': (data) => `Credit note ${text(data, 'number')} was issued`,
  'invoice.written_off': (data) => `${invoice(data)} was written off${because(data)}`,
  'payment.succeeded': (data) => `A payment${ofAmount(data)} went through`,
  'payment.declined': (data) => `A payment${ofAmount(data)} was declined${because(data)}`,
  'payment.failed': (data) => `A payment${ofAmount(data)} failed${because(data)}`,
  'payment.action_required': (data) => `A payment${ofAmount(data)} needs your confirmation`,
  'refund.requested': (data) => `A refund${ofAmount(data)} was started`,
  'refund.succeeded': (data) => `A refund${ofAmount(data)} is on its way to you`,
  'refund.failed': (data) => `A refund${ofAmount(data)} failed${because(data)}`,
  'payment.disputed': (data) => `A payment${ofAmount(data)} was disputed with the bank`,
  'payment.dispute_won': (data) => `The bank upheld a disputed payment${ofAmount(data)}`,
  'payment.dispute_lost': (data) => `The bank returned a disputed payment${ofAmount(data)}`,
  'invoice.reopened': (data) => `${invoice(data)} is open again`,
  'invoice.collect_requested': (data) => `${invoice(data)} is being charged to the default card`,
  'vat_id.valid': 'The VAT ID was confirmed by VIES',
  'vat_id.invalid': 'The VAT ID is not valid in VIES',
  'vat_id.check_requested': (data) => `The VAT ID ${text(data, 'vatId')} is being checked again`,
  'discount.added': (data) => `A discount${percent(data)} was added${what(data)}`,
  'discount.ended': (data) => `A discount${percent(data)} ended${what(data)}`,
  'billing_item.added': (data) => `A ${item(data)}${ofAmount(data)} was added to the next invoice${what(data)}`,
  'billing_item.cancelled': (data) => `A ${item(data)}${ofAmount(data)} was canceled${what(data)}`,
  'transit_contract.added': (data) =>
    data['agreed'] === false
      ? `IP transit returned to standard pricing${fromDay(data)}`
      : `Custom transit pricing was added${fromDay(data)}`,
  'transit_contract.removed': (data) => `Custom transit pricing${fromDay(data)} was canceled`,
  'dunning.stage_changed': (data) => STAGES[text(data, 'after')] ?? 'The account’s billing status changed',
  'dunning.paused': (data) => `Reminders were paused${untilDay(data)}`,
  'dunning.resumed': 'Reminders resumed',
  'dunning.lifted': (data) => `Services were restored with a balance outstanding${untilDay(data)}`,
}
