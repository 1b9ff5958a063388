/** Emails about deleted routers, so that the owner notices a mistake or an intrusion within the deletion grace. */
import type { AccountId } from '../kernel/ids.ts'
import { notify, type Sender } from '../accounts/index.ts'
import type { Db } from '../platform/db/index.ts'
import { formatUtc } from '../kernel/utc.ts'

interface Subject {
  readonly id: number
  readonly name: string
  readonly account_id: AccountId
}

export const sendDeleted = (db: Db, sender: Sender, router: Subject, until: Date): Promise<void> =>
  notify(db, sender, router.account_id, 'required', {
    subject: `Router ${router.name} deleted, restorable until ${dayOf(until)}`,
    paragraphs: [
      `Your router ${router.name} was deleted. It is off, no longer billed, and its BGP sessions are down.`,
      `Its disk and its addresses are kept until ${formatUtc(until)}. Until then you can restore it. After that it is removed permanently.`,
    ],
    action: { label: 'View or restore the router', path: `/routers/${router.id}` },
    after: ['If you did not delete it, restore it and change your password.'],
  })

export const sendRestored = (db: Db, sender: Sender, router: Subject): Promise<void> =>
  notify(db, sender, router.account_id, 'required', {
    subject: `Your router ${router.name} was restored`,
    paragraphs: [`Our staff restored your router ${router.name} with its disk and addresses. Billing has resumed.`],
    action: { label: 'View router', path: `/routers/${router.id}` },
  })

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
