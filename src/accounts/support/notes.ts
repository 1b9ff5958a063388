/** Staff notes about a user. They are append-only, and the user can never read them. */
import type { UserId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { audit, type Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import { pageOf } from '../../platform/page-of.ts'
import type { UserNote } from '../contract/support.ts'
import '../tables.ts'
import { requireUser } from './target.ts'

interface NotesQuery {
  readonly search?: string | undefined
  readonly before?: number | undefined
  readonly limit: number
}

/** Throws 404 for an unknown user. The notes on a closed account stay readable. */
export async function listNotes(
  db: Db,
  userId: UserId,
  { search, before, limit }: NotesQuery,
): Promise<{ notes: UserNote[]; next: number | null }> {
  await requireUser(db, userId, 'closed too')
  let query = selectNotes(db).where('user_id', '=', userId)
  if (search) query = query.where(sql<boolean>`strpos(lower(body), lower(${search})) > 0`)
  if (before !== undefined) query = query.where('user_notes.id', '<', before)
  const rows = await query
    .orderBy('user_notes.id', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown, next } = pageOf(rows, limit, ({ id }) => id)
  return { notes: shown.map(view), next }
}

/** The audit entry is visible to staff only. It records that a note was added, but not its text. */
export async function addNote(
  db: Db,
  actor: Actor,
  { userId, authorId, body, now }: { userId: UserId; authorId: UserId; body: string; now: Date },
): Promise<UserNote> {
  await requireUser(db, userId, 'closed too')
  const { id } = await db
    .insertInto('user_notes')
    .values({ user_id: userId, author_id: authorId, body, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(db, actor, {
    action: 'user_note.added',
    subject: { type: 'user', id: userId },
    accountId: null,
    data: { note: id },
  })
  await publish(db, { type: 'user', id: userId, accountId: null })
  return view(await selectNotes(db).where('user_notes.id', '=', id).executeTakeFirstOrThrow())
}

const selectNotes = (db: Db) =>
  db
    .selectFrom('user_notes')
    .innerJoin('users as author', 'author.id', 'author_id')
    .select(['user_notes.id', 'body', 'user_notes.created_at', 'author_id', 'first_name', 'last_name'])

interface Row {
  readonly id: number
  readonly body: string
  readonly created_at: Date
  readonly author_id: UserId
  readonly first_name: string
  readonly last_name: string
}

const view = (row: Row): UserNote => ({
  id: row.id,
  author: { id: row.author_id, name: `${row.first_name} ${row.last_name}` },
  body: row.body,
  createdAt: row.created_at.toISOString(),
})
