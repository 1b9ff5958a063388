/** What a customer hears of their prefixes by mail: decisions of staff, and what they have to mend themselves. */
import { composeLetter, letterhead, wantsMail } from '../accounts/index.ts'
import type { MailKind } from '../accounts/policy.ts'
import { queueMail } from '../platform/mail.ts'
import type { Db } from '../platform/db/index.ts'
import type { TransitWriter } from './deps.ts'
import { valueOf, type PrefixRow } from './prefix-row.ts'
import type { PrefixAction } from './states.ts'

export type PrefixTidings = Extract<PrefixAction, 'approve' | 'reject' | 'suspend' | 'demand'> | 'flag'

const SUBJECT: Readonly<Record<PrefixTidings, string>> = {
  approve: 'is approved',
  reject: 'is rejected',
  suspend: 'is suspended',
  demand: 'waits for you',
  flag: 'lost its proof',
}

const MEANING: Readonly<Record<PrefixTidings, string>> = {
  approve: 'We carry it as soon as your router announces it.',
  reject: 'The space is free for another request.',
  suspend: 'We do not carry it any more.',
  demand: 'We found something that only you can mend. Once it is mended the request goes on by itself.',
  flag: 'It is still approved, but other networks may drop it until this is mended.',
}

/** What its owner may have switched off. That a prefix is suspended is told in any case: traffic stops. */
const KIND: Readonly<Record<PrefixTidings, MailKind | null>> = {
  approve: 'prefix_decisions',
  reject: 'prefix_decisions',
  demand: 'prefix_decisions',
  suspend: null,
  flag: 'prefix_warnings',
}

export async function tellOwner(
  { config, publicUrl, secretKey }: TransitWriter,
  db: Db,
  row: PrefixRow,
  tidings: PrefixTidings,
  reason: string | null,
): Promise<void> {
  const owner = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', row.user_id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  const kind = KIND[tidings]
  if (!owner || (kind && !(await wantsMail(db, owner.id, kind)))) return
  const letter = composeLetter(await letterhead(db, { config }), {
    subject: `${valueOf(row)} ${SUBJECT[tidings]}`,
    paragraphs: [`Your prefix ${valueOf(row)} ${SUBJECT[tidings]}. ${MEANING[tidings]}`, ...(reason ? [reason] : [])],
    action: { label: 'See where it stands, and what would mend it', url: `${publicUrl()}/transit` },
  })
  await queueMail(db, secretKey, { to: owner.email, userId: owner.id, ...letter })
}
