/**
 * Texts that the operator sets, kept in one row: pages, emails and documents show their current version. They are plain
 * text everywhere; escape them like any other untrusted text.
 */
import type { Selectable } from 'kysely'
import { audit, type Actor } from './audit.ts'
import { preparedQuery, type Db } from './db/index.ts'
import { publish } from './events.ts'
import type { SiteContentTable } from './tables.ts'

export type SiteContentRow = Omit<Selectable<SiteContentTable>, 'id'>

export async function readSiteContent(db: Db): Promise<SiteContentRow> {
  const [row] = await rowOf(db, {})
  const { id: _, ...siteContent } = row!
  return siteContent
}

const rowOf = preparedQuery([], (db) => db.selectFrom('site_content').selectAll())

/** Undefined fields stay unchanged. All open screens are notified. */
export async function updateSiteContent(
  db: Db,
  actor: Actor,
  change: { readonly [K in keyof SiteContentRow]?: SiteContentRow[K] | undefined },
): Promise<SiteContentRow> {
  const { id: _, ...before } = await db.selectFrom('site_content').selectAll().forUpdate().executeTakeFirstOrThrow()
  const changed = (Object.keys(before) as (keyof SiteContentRow)[]).filter(
    (name) => change[name] !== undefined && String(change[name]) !== String(before[name]),
  )
  if (changed.length === 0) return before
  const after = Object.fromEntries(changed.map((name) => [name, change[name]]))
  await db.updateTable('site_content').set(after).execute()
  await audit(db, actor, {
    action: 'site_content.changed',
    subject: { type: 'texts', id: null },
    accountId: null,
    data: { before: Object.fromEntries(changed.map((name) => [name, before[name]])), after },
  })
  await publish(db, { type: 'notice', id: null, accountId: null })
  return readSiteContent(db)
}

/** Returns the notice that applies at this moment, or null. */
export function noticeAt({ notice, notice_from: from, notice_until: until }: SiteContentRow, now: Date): string | null {
  if (notice === null || (from !== null && now < from) || (until !== null && now >= until)) return null
  return notice
}
