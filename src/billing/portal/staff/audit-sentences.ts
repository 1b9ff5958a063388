import type { AuditActionOf } from '../../../kernel/audit-actions.ts'
import type { DunningStage } from '../../states.ts'
import { STAGE_BADGE } from './money-labels.ts'
import { ofAmount, text, type AuditData } from '../../../ui/components/audit-data.ts'
import type { AuditSentences } from '../../../ui/staff/audit-sentences.ts'

const item = (data: AuditData): string => (text(data, 'kind') === 'CREDIT' ? 'credit' : 'fee')
const what = (data: AuditData): string => (text(data, 'description') ? ` (${text(data, 'description')})` : '')
const stage = (data: AuditData, name: string): string => {
  const value = text(data, name)
  return value in STAGE_BADGE ? `“${STAGE_BADGE[value as DunningStage].label}”` : value
}

export const BILLING_SENTENCES: AuditSentences<AuditActionOf<'billing'>> = {
  'invoice.issued': 'issued {it}',
  'invoice.paid': 'marked {it} as paid',
  'invoice.overdue': 'marked {it} as overdue',
  'invoice.reopened': 'reopened {it}',
  'invoice.credited': (data) => `issued credit note ${text(data, 'number')}`,
  'invoice.written_off': 'wrote off {it}',
  'invoice.collect_requested': 'started to collect {it}',
  'invoice.resent': 'sent {it} by email again',
  'payment.succeeded': (data) => `took a payment${ofAmount(data)}`,
  'payment.declined': (data) => `saw a payment${ofAmount(data)} declined`,
  'payment.failed': (data) => `saw a payment${ofAmount(data)} fail`,
  'payment.action_required': (data) => `asked to confirm a payment${ofAmount(data)}`,
  'payment.disputed': (data) => `saw a payment${ofAmount(data)} disputed with the bank`,
  'payment.dispute_won': (data) => `won the dispute about a payment${ofAmount(data)}`,
  'payment.dispute_lost': (data) => `lost the dispute about a payment${ofAmount(data)}`,
  'refund.requested': (data) => `started a refund${ofAmount(data)}`,
  'refund.succeeded': (data) => `sent a refund${ofAmount(data)}`,
  'refund.failed': (data) => `saw a refund${ofAmount(data)} fail`,
  'vat_id.valid': 'confirmed the VAT ID with VIES',
  'vat_id.invalid': 'found the VAT ID invalid in VIES',
  'vat_id.check_requested': (data) => `asked VIES again about VAT ID ${text(data, 'vatId')}`,
  'dunning.stage_changed': (data) => `moved dunning from ${stage(data, 'before')} to ${stage(data, 'after')}`,
  'dunning.paused': 'paused dunning',
  'dunning.resumed': 'resumed dunning',
  'dunning.lifted': 'restored services with a balance outstanding',
  'billing_item.added': (data) => `added a ${item(data)}${ofAmount(data)}${what(data)}`,
  'billing_item.cancelled': (data) => `canceled a ${item(data)}${ofAmount(data)}${what(data)}`,
  'discount.added': (data) => `added a discount of ${text(data, 'percent')} %${what(data)}`,
  'discount.ended': (data) => `ended a discount of ${text(data, 'percent')} %${what(data)}`,
  'transit_contract.added': 'changed the transit pricing',
  'transit_contract.removed': 'canceled custom transit pricing',
  'payment_method.added': (data) => `added a card ending in ${text(data, 'last4')}`,
  'payment_method.removed': (data) => `removed the card ending in ${text(data, 'last4')}`,
  'payment_method.made_default': (data) => `made the card ending in ${text(data, 'last4')} the default`,
  'billing_address.changed': 'changed the billing address',
  'billing_settings.changed': 'changed the billing settings',
  'tax_rate.set': (data) => `set the tax rate of ${text(data, 'value')}`,
  'price.added': 'added {it}',
  'price.removed': (data) => `canceled the price of ${text(data, 'product')}`,
}
