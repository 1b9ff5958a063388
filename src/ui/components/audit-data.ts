/** What audit log entries carry, and how a slice describes its own entries to customers. */
import { formatAsn } from '../../kernel/asn.ts'
import { formatMoney } from '../../kernel/money.ts'

export type AuditData = Readonly<Record<string, unknown>>

/** A sentence of a customer's activity list. */
export type ActivityMessage = string | ((data: AuditData) => string)
export type ActivityMessages<Action extends string> = Readonly<Record<Action, ActivityMessage>>

/** Empty when the entry lacks the field: old entries have fewer. */
export const text = (data: AuditData, name: string): string => {
  const value = data[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export const because = (data: AuditData): string => (text(data, 'reason') ? `: ${text(data, 'reason')}` : '')

export const quotedName = (data: AuditData): string =>
  text(data, 'name') ? `“${text(data, 'name')}”` : 'an unnamed one'

export const asnText = ({ asn }: AuditData): string => (typeof asn === 'number' ? formatAsn(asn) : 'the ASN')

export const listText = (data: AuditData, name: string): string => {
  const value = data[name]
  return Array.isArray(value) ? value.join(', ') : ''
}

/** Old entries have no currency. */
export const ofAmount = ({ amount, currency }: AuditData): string =>
  typeof amount === 'number' && Number.isInteger(amount) && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)
    ? ` of ${formatMoney({ amount, currency })}`
    : ''
