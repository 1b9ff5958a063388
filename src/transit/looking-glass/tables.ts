import type { AccountId } from '../../kernel/ids.ts'
import type { Generated, JSONColumnType } from 'kysely'
import type { EdgeQuestion } from './question.ts'

export interface EdgeQuestionsTable {
  id: Generated<number>
  edge_id: number
  account_id: AccountId
  asked_at: Generated<Date>
  question: JSONColumnType<EdgeQuestion, string, never>
  answer: JSONColumnType<{ readonly error: string | null; readonly value: unknown }, string | undefined, string> | null
}
