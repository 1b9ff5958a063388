/**
 * What the operator words itself, kept in one row: pages, letters and documents show it as it is at that moment. Plain
 * text everywhere; whoever shows it escapes it as any other word of a stranger.
 */
import type { Selectable } from 'kysely'
import { audit, type Actor } from './audit.ts'
import { fixedQuery, type Db } from './db/index.ts'
import { publish } from './events.ts'
import type { OperatorTextsTable } from './tables.ts'

export type OperatorTexts = Omit<Selectable<OperatorTextsTable>, 'id'>

export async function readTexts(db: Db): Promise<OperatorTexts> {
  const [row] = await rowOf(db, {})
  const { id: _, ...texts } = row!
  return texts
}

const rowOf = fixedQuery([], (db) => db.selectFrom('operator_texts').selectAll())

/** What is undefined stays as it is. Everybody's screens hear of it. */
export async function changeTexts(
  db: Db,
  actor: Actor,
  change: { readonly [K in keyof OperatorTexts]?: OperatorTexts[K] | undefined },
): Promise<OperatorTexts> {
  const { id: _, ...before } = await db.selectFrom('operator_texts').selectAll().forUpdate().executeTakeFirstOrThrow()
  const changed = (Object.keys(before) as (keyof OperatorTexts)[]).filter(
    (name) => change[name] !== undefined && String(change[name]) !== String(before[name]),
  )
  if (changed.length === 0) return before
  const after = Object.fromEntries(changed.map((name) => [name, change[name]]))
  await db.updateTable('operator_texts').set(after).execute()
  await audit(db, actor, {
    action: 'texts.changed',
    subject: { type: 'texts', id: null },
    userId: null,
    data: { before: Object.fromEntries(changed.map((name) => [name, before[name]])), after },
  })
  await publish(db, { type: 'notice', id: null, userId: null })
  return readTexts(db)
}

/** The notice that stands at this moment; null for none. */
export function noticeAt({ notice, notice_from: from, notice_until: until }: OperatorTexts, now: Date): string | null {
  if (notice === null || (from !== null && now < from) || (until !== null && now >= until)) return null
  return notice
}
