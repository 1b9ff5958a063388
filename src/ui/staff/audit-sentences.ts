/** Sentences with which a slice describes its audit log entries to staff. */

export type AuditData = Readonly<Record<string, unknown>>
/** The text after the actor: verb first, in the past tense. `{it}` is the object, shown as a link. */
export type AuditSentence = string | ((data: AuditData) => string)
export type AuditSentences<Action extends string> = Readonly<Record<Action, AuditSentence>>

/** Empty when the entry lacks the field: old entries have fewer. */
export const text = (data: AuditData, name: string): string => {
  const value = data[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
