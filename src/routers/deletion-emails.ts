/** A router that was deleted by mistake, or by somebody else, is saved only by who hears of it in time. */
import type { SecretKey } from '../platform/secret-key.ts'
import { composeEmail, emailHeader } from '../accounts/index.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db/index.ts'
import { queueMail } from '../platform/mail.ts'

export interface DeletionEmailDeps {
  readonly config: Pick<Config, 'PRODUCT_NAME' | 'SUPPORT_EMAIL'>
  readonly publicUrl: () => string
  readonly secretKey: SecretKey
}

interface Subject {
  readonly id: number
  readonly name: string
  readonly user_id: number
}

export const sendDeleted = (db: Db, emails: DeletionEmailDeps, router: Subject, until: Date): Promise<void> =>
  emailDeletion(db, emails, router, {
    subject: `Router ${router.name} deleted, restorable until ${dayOf(until)}`,
    paragraphs: [
      `Your router ${router.name} was deleted. It is off, no longer billed, and its BGP sessions are down.`,
      `Its disk and its addresses are kept until ${momentOf(until)}. Until then you can restore it. After that it is removed permanently.`,
    ],
    label: 'View or restore the router',
    after: ['If you did not delete it, restore it and change your password.'],
  })

export const sendRestored = (db: Db, emails: DeletionEmailDeps, router: Subject): Promise<void> =>
  emailDeletion(db, emails, router, {
    subject: `Your router ${router.name} was restored`,
    paragraphs: [`Our staff restored your router ${router.name} with its disk and addresses. Billing has resumed.`],
    label: 'View router',
    after: [],
  })

async function emailDeletion(
  db: Db,
  { config, publicUrl, secretKey }: DeletionEmailDeps,
  router: Subject,
  { label, ...content }: { subject: string; paragraphs: string[]; label: string; after: string[] },
): Promise<void> {
  const owner = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', router.user_id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!owner) return
  const email = composeEmail(await emailHeader(db, { config }), {
    ...content,
    action: { label, url: `${publicUrl()}/routers/${router.id}` },
  })
  await queueMail(db, secretKey, { to: owner.email, userId: owner.id, ...email })
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
const momentOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
