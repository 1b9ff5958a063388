/** A registry contact withdraws a confirmation, with the link in the email that acknowledged it. */
import { notifyStaff, sendEmail } from '../../accounts/index.ts'
import { formatAsn } from '../../kernel/asn.ts'
import { invalid } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { rowToken } from '../../platform/row-token.ts'
import type { TransitWriter } from '../deps.ts'
import { recordContactLink } from '../events.ts'
import { loseSpace, replaceEvidence } from '../evidence/store.ts'
import { valueOf } from '../prefix-row.ts'
import { askForCheck } from '../prefixes/checks/check-job.ts'
import { OCCUPYING_STATUSES } from '../states.ts'
import { findLinkOf, subjectOfWithdrawal, type LinkRow } from './link.ts'

/** Sends the link to the address of the first link. The registry may list other contacts by now, but this one must be able to withdraw. */
export async function mailWithdrawalLink(deps: TransitWriter, db: Db, prefix: string, link: LinkRow): Promise<void> {
  const token = rowToken(deps.secretKey, subjectOfWithdrawal(link))
  const what =
    link.origin_asn === null
      ? `You confirmed that a customer of ${deps.config.PRODUCT_NAME} (${formatAsn(link.customer_asn)}) may announce ${prefix}.`
      : `You confirmed that ${formatAsn(link.origin_asn)} uses ${formatAsn(link.customer_asn)} as transit at ${deps.config.PRODUCT_NAME}.`
  await sendEmail(
    db,
    deps,
    { email: link.contact_email, userId: null },
    {
      subject:
        link.origin_asn === null
          ? `You confirmed ${prefix}`
          : `${formatAsn(link.origin_asn)} agreed to ${formatAsn(link.customer_asn)} as transit`,
      paragraphs: [
        `${what} This counts until ${link.valid_until!.toISOString().slice(0, 10)}, unless you withdraw it.`,
      ],
      action: {
        label: 'Withdraw',
        url: `${deps.publicUrl()}/verify/prefix?withdraw=${encodeURIComponent(token)}`,
      },
      after: ['Keep this email: the link works for as long as your confirmation counts.'],
    },
  )
}

/**
 * Throws 422 for an invalid link. Other contacts' confirmations of the same subject end too: one withdrawal is enough.
 * Withdrawing again changes nothing.
 */
export async function withdrawConfirmation(
  deps: TransitWriter,
  db: Db,
  actor: Actor,
  token: string,
): Promise<{ prefix: string; purpose: LinkRow['purpose']; originAsn: number | null }> {
  const link = await findLinkOf(db, deps.secretKey, subjectOfWithdrawal, token)
  if (!link || link.confirmed_at === null) throw invalid([{ field: 'token', message: 'is not a link of ours' }])
  const { purpose, origin_asn: originAsn } = link
  const prefixes = await prefixesOf(db, link)
  const own = prefixes.find((prefix) => prefix.id === link.prefix_id)!
  const answer = { prefix: valueOf(own), purpose, originAsn }
  const voided = await db
    .updateTable('prefix_contact_links')
    .set({ voided_at: deps.clock.now() })
    .where('id', '=', link.id)
    .where('voided_at', 'is', null)
    .executeTakeFirst()
  if (voided.numUpdatedRows === 0n) return answer
  await db
    .updateTable('prefix_contact_links')
    .set({ voided_at: deps.clock.now() })
    .where((eb) => eb('prefix_id', '=', eb.fn.any(eb.val(prefixes.map((prefix) => prefix.id)))))
    .where('purpose', '=', purpose)
    .where('customer_asn', '=', link.customer_asn)
    .where('origin_asn', 'is not distinct from', originAsn)
    .where('confirmed_at', 'is not', null)
    .where('voided_at', 'is', null)
    .execute()
  await recordContactLink(db, actor, own, { link: link.id, purpose, step: 'withdrawn' })
  if (purpose === 'SPACE') {
    await replaceEvidence(db, own.id, 'rdap_contact', [])
    await loseSpace(db, own.id, 'withdrawn', deps.clock.now())
  }
  for (const prefix of prefixes)
    if ((OCCUPYING_STATUSES as readonly string[]).includes(prefix.status)) await askForCheck(db, prefix.id)
  await emailStaff(deps, db, link, answer.prefix)
  return answer
}

/** Locks, in one order, the prefix that the link is about and, for a downstream, all prefixes that the customer has with that origin. */
const prefixesOf = (db: Db, link: LinkRow) =>
  db
    .selectFrom('transit_prefixes')
    .select(['id', 'account_id', 'value', 'status'])
    .where((eb) => {
      const owner = eb
        .selectFrom('transit_prefixes as named')
        .select('named.account_id')
        .where('named.id', '=', link.prefix_id)
      const itself = eb('id', '=', link.prefix_id)
      return link.origin_asn === null
        ? itself
        : eb.or([itself, eb.and([eb('account_id', '=', owner), eb('origin_asn', '=', link.origin_asn)])])
    })
    .orderBy('id')
    .forUpdate()
    .execute()

async function emailStaff(deps: TransitWriter, db: Db, link: LinkRow, prefix: string): Promise<void> {
  const { origin_asn: origin, customer_asn: customer } = link
  await notifyStaff(db, deps, {
    subject:
      origin === null
        ? `A registry contact withdrew the confirmation of ${prefix}`
        : `${formatAsn(origin)} withdrew its agreement with ${formatAsn(customer)}`,
    paragraphs: [
      origin === null
        ? `The contact of ${link.handle} confirmed that ${formatAsn(customer)} may announce ${prefix}, and took that back. It is no evidence any more. If the prefix was approved on evidence and nothing else proves it, it is suspended when the grace is over.`
        : `A registry contact of ${formatAsn(origin)} agreed to ${formatAsn(customer)} as transit, and took that back. Unless it agrees in another way, its approved prefixes are suspended when the grace is over.`,
    ],
    action: { label: 'View the prefix', path: `/admin/prefixes/${link.prefix_id}` },
  })
}
