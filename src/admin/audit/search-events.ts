/** Searches events by an address, a request, a number, a user, or a word of the action. */
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { usersNamed } from '../../accounts/index.ts'
import { parseAddress } from '../../kernel/prefix.ts'
import type { Db, Tables } from '../../platform/db/index.ts'
import { searchPatterns } from '../../platform/search-words.ts'

const MAX_USERS = 50
const REQUEST = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NUMBER = /^#?(\d{1,15})$/

type Condition = (eb: ExpressionBuilder<Tables, 'audit_events'>) => Expression<SqlBool>

/** Every condition uses an index, because the audit log grows forever. */
export async function searchCondition(db: Db, typed: string): Promise<Condition> {
  const text = typed.trim()
  if (parseAddress(text)) return (eb) => eb('audit_events.ip', '=', text)
  if (REQUEST.test(text)) return (eb) => eb('audit_events.request_id', '=', text.toLowerCase())
  const number = NUMBER.exec(text)?.[1]
  if (number !== undefined) {
    const types = await listDistinct(db, 'subject_type')
    return (eb) =>
      eb.or([
        eb('audit_events.id', '=', Number(number)),
        eb.and([eb('subject_type', 'in', types.length > 0 ? types : ['']), eb('subject_id', '=', Number(number))]),
      ])
  }
  const patterns = searchPatterns(text)
  const [users, actions] = await Promise.all([
    patterns.length > 0 ? usersNamed(db, patterns, MAX_USERS) : [],
    listActions(db).then((all) => all.filter((action) => containsAll(action, text))),
  ])
  return (eb) =>
    eb.or([
      ...(actions.length > 0 ? [eb('action', 'in', actions)] : []),
      ...(users.length > 0
        ? [
            eb(
              'actor_id',
              'in',
              users.map(({ userId }) => userId),
            ),
            eb(
              'audit_events.account_id',
              'in',
              users.map(({ accountId }) => accountId),
            ),
          ]
        : []),
      ...(actions.length + users.length === 0 ? [sql<boolean>`false`] : []),
    ])
}

/** Returns every action in the audit log, in order. */
export const listActions = (db: Db): Promise<string[]> => listDistinct(db, 'action')

const containsAll = (action: string, text: string): boolean => {
  const words = text
    .toLowerCase()
    .split(/[\s._]+/)
    .filter(Boolean)
  return words.every((word) => action.includes(word))
}

/** Takes one index step per value, instead of reading the whole audit log for some sixty of them. */
async function listDistinct(db: Db, column: 'action' | 'subject_type'): Promise<string[]> {
  const name = sql.ref(column)
  const { rows } = await sql<{ value: string }>`
    with recursive found as (
      (select ${name} as value from audit_events order by ${name} limit 1)
      union all
      select (select ${name} from audit_events where ${name} > found.value order by ${name} limit 1)
      from found where found.value is not null
    )
    select value from found where value is not null`.execute(db)
  return rows.map((row) => row.value)
}
