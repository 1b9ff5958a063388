/** What audit log entries carry, and how a slice describes its own entries to customers. */
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
