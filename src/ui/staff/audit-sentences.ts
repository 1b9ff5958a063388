/** How a slice says in a sentence what its entries of the audit log are, for staff. */

export type AuditData = Readonly<Record<string, unknown>>
/** What follows the actor: verb first, in the past. `{it}` is the object, which is shown as a link. */
export type AuditSentence = string | ((data: AuditData) => string)
export type AuditSentences<Action extends string> = Readonly<Record<Action, AuditSentence>>

/** Empty when the entry has none: old entries lack what newer ones say. */
export const text = (data: AuditData, name: string): string => {
  const value = data[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
