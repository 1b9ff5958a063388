/** Emails about prefixes: decisions of staff, and problems that the customer must fix. */
import { notify } from '../accounts/index.ts'
import type { MailKind } from '../accounts/policy.ts'
import type { Db } from '../platform/db/index.ts'
import type { TransitWriter } from './deps.ts'
import { valueOf, type PrefixRow } from './prefix-row.ts'
import type { PrefixAction } from './states.ts'

export type PrefixNotice = Extract<PrefixAction, 'approve' | 'reject' | 'suspend' | 'request_changes'> | 'flag' | 'warn'

const SUBJECT: Readonly<Record<PrefixNotice, string>> = {
  approve: 'was approved',
  reject: 'was rejected',
  suspend: 'was suspended',
  request_changes: 'needs your action',
  flag: 'lost its ROA or route object',
  warn: 'will be suspended',
}

const MEANING: Readonly<Record<PrefixNotice, string>> = {
  approve: 'We announce it as soon as your router does.',
  reject: 'You can request it again.',
  suspend: 'We no longer announce it.',
  request_changes: 'Only you can fix this. Your request continues automatically once it is fixed.',
  flag: 'It is still approved, but other networks may drop it until this is fixed.',
  warn: 'What it was approved for is missing. We announce the prefix until then.',
}

/** The notification setting of each email. A suspension is always sent, because traffic stops. */
const KIND: Readonly<Record<PrefixNotice, MailKind | 'required'>> = {
  approve: 'prefix_decisions',
  reject: 'prefix_decisions',
  request_changes: 'prefix_decisions',
  suspend: 'required',
  warn: 'required',
  flag: 'prefix_warnings',
}

export const emailOwner = (
  deps: TransitWriter,
  db: Db,
  row: PrefixRow,
  notice: PrefixNotice,
  reason: string | null,
): Promise<void> =>
  notify(db, deps, row.account_id, KIND[notice], {
    subject: notice === 'request_changes' ? `Action needed: ${valueOf(row)}` : `${valueOf(row)} ${SUBJECT[notice]}`,
    paragraphs: [`Your prefix ${valueOf(row)} ${SUBJECT[notice]}. ${MEANING[notice]}`, ...(reason ? [reason] : [])],
    action: { label: 'View the prefix', path: `/transit/prefixes/${row.id}` },
  })
