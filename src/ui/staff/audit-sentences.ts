/** Sentences with which a slice describes its audit log entries to staff. */
import type { AuditData } from '../components/audit-data.ts'

/** The text after the actor: verb first, in the past tense. `{it}` is the object, shown as a link. */
export type AuditSentence = string | ((data: AuditData) => string)
export type AuditSentences<Action extends string> = Readonly<Record<Action, AuditSentence>>
