/** The emails that a user wants to receive. By default a user gets all of them. */
import type { UserId } from '../../kernel/ids.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { MailPreferences } from '../contract.ts'
import { recordUserEvent } from '../events.ts'
import { MAIL_KINDS, type MailKind } from '../policy.ts'
import '../tables.ts'

export async function readMailPreferences(db: Db, userId: UserId): Promise<MailPreferences> {
  const muted = await db.selectFrom('muted_mails').select('kind').where('user_id', '=', userId).execute()
  const off = new Set(muted.map((row) => row.kind))
  return Object.fromEntries(MAIL_KINDS.map((kind) => [kind, !off.has(kind)])) as Record<MailKind, boolean>
}

/** Check this before queueing an email of this kind. All other emails are always sent. */
export const wantsMail = async (db: Db, userId: UserId, kind: MailKind): Promise<boolean> =>
  (await readMailPreferences(db, userId))[kind]

export async function changeMailPreferences(
  db: Db,
  actor: Actor,
  userId: UserId,
  change: { readonly [K in MailKind]?: boolean | undefined },
): Promise<MailPreferences> {
  const before = await readMailPreferences(db, userId)
  const changed = MAIL_KINDS.filter((kind) => change[kind] !== undefined && change[kind] !== before[kind])
  for (const kind of changed) {
    if (change[kind]) {
      await db.deleteFrom('muted_mails').where('user_id', '=', userId).where('kind', '=', kind).execute()
    } else {
      await db
        .insertInto('muted_mails')
        .values({ user_id: userId, kind })
        .onConflict((again) => again.doNothing())
        .execute()
    }
  }
  if (changed.length > 0) {
    const switched = Object.fromEntries(changed.map((kind) => [kind, change[kind]]))
    await recordUserEvent(db, actor, userId, 'mail_preferences.changed', { switched })
  }
  return readMailPreferences(db, userId)
}
