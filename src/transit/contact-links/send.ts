/**
 * Sends a link to a contact that the registry lists. A contact of the block confirms that the customer speaks for the
 * space; a contact of the downstream agrees to the customer as its transit. Staff choose the contact, and only the
 * mailbox gets the link.
 */
import { datedContacts, requireDomainOf, sendEmail } from '../../accounts/index.ts'
import { formatAsn } from '../../kernel/asn.ts'
import { conflict, invalid } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { rowToken } from '../../platform/row-token.ts'
import type { TransitDeps } from '../deps.ts'
import { recordContactLink } from '../events.ts'
import { readRounds } from '../evidence/store.ts'
import { valueOf, type PrefixRow } from '../prefix-row.ts'
import { anyPrefix } from '../prefixes/decisions.ts'
import { occupiesSpace } from '../states.ts'
import { contactsOfAsn, contactsOfBlock, maySpeak, type Registration } from './contacts.ts'
import type { LinkPurpose } from '../states.ts'
import { subjectOfLink, type LinkRow } from './link.ts'

const DAY_MS = 86_400_000
/** Network contacts read their email in working hours, and holidays exist. */
const LINK_DAYS = 7

/** Returns what the link would confirm. Throws 409 where there is nothing to confirm. */
async function subjectOf(db: Db, row: PrefixRow, purpose: LinkPurpose) {
  const owner = await db
    .selectFrom('users as user')
    .leftJoin('asn_ownerships as ownership', 'ownership.account_id', 'user.account_id')
    .select(['user.email', 'ownership.asn', 'ownership.verified_at'])
    .where('user.account_id', '=', row.account_id)
    .executeTakeFirstOrThrow()
  const { email, asn, verified_at } = owner
  if (!occupiesSpace(row.status)) throw conflict(`It is ${row.status} and needs no confirmation.`)
  if (asn === null || verified_at === null) throw conflict('This customer’s ASN is not verified.')
  if (purpose === 'SPACE') return { customerEmail: email, customerAsn: asn, originAsn: null }
  const origin = row.announcement_type === 'DOWNSTREAM' ? row.origin_asn : null
  if (origin === null || origin === asn) throw conflict('This prefix has no downstream that could agree.')
  return { customerEmail: email, customerAsn: asn, originAsn: origin }
}

export async function draftContactLink(deps: TransitDeps, id: number, purpose: LinkPurpose) {
  const row = await anyPrefix(deps.db, id, 'read')
  const { originAsn } = await subjectOf(deps.db, row, purpose)
  const found = await contactsFor(deps, row, originAsn)
  const shown = (contacts: Registration['contacts']) =>
    contacts.map(({ email, roles, source }) => ({ email, roles: [...roles], source }))
  return {
    subject: found?.subject ?? null,
    holder: found?.holder ?? null,
    changedAt: found?.changedAt?.toISOString() ?? null,
    contacts: await datedContacts(deps, shown((found?.contacts ?? []).filter(maySpeak))),
    abuseContacts: shown((found?.contacts ?? []).filter((contact) => !maySpeak(contact))),
  }
}

const contactsFor = (deps: TransitDeps, row: PrefixRow, originAsn: number | null): Promise<Registration | null> =>
  originAsn === null ? contactsOfBlock(deps, valueOf(row)) : contactsOfAsn(deps, originAsn)

export interface SendRequest {
  readonly id: number
  readonly purpose: LinkPurpose
  readonly email: string
  readonly actor: Actor
}

/** Queries the registry now, outside any transaction. A link that was sent before stops working. */
export async function sendContactLink(deps: TransitDeps, { id, purpose, email, actor }: SendRequest): Promise<void> {
  const asked = await anyPrefix(deps.db, id, 'read')
  const about = await subjectOf(deps.db, asked, purpose)
  const found = await contactsFor(deps, asked, about.originAsn)
  const contact = found?.contacts.find((one) => one.email.toLowerCase() === email.toLowerCase())
  if (!found || !contact || !maySpeak(contact)) {
    const message = contact
      ? 'is an abuse contact only, which proves nothing: choose a contact with another role'
      : 'is none of the contacts that the registry lists'
    throw invalid([{ field: 'email', message }])
  }
  await requireDomainOf(deps, found, contact.email)
  await inTransaction(deps.db, async (db) => {
    const row = await anyPrefix(db, id, 'lock')
    const now = await subjectOf(db, row, purpose)
    if (now.customerAsn !== about.customerAsn || now.originAsn !== about.originAsn)
      throw conflict('The request has changed meanwhile. Look at it again.')
    const at = deps.clock.now()
    await voidOpenLinks(db, id, purpose, at)
    const link = await db
      .insertInto('prefix_contact_links')
      .values({
        prefix_id: id,
        purpose,
        customer_asn: now.customerAsn,
        origin_asn: now.originAsn,
        round: (await readRounds(db, [id])).get(id) ?? 0,
        contact_email: contact.email,
        contact_roles: JSON.stringify(contact.roles),
        contact_source: contact.source,
        registry: found.registry,
        handle: found.handle,
        registrants: JSON.stringify(found.registrants),
        requested_by: actor.userId,
        created_at: at,
        expires_at: new Date(at.getTime() + LINK_DAYS * DAY_MS),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await mailLink(deps, db, row, link, now.customerEmail)
    await recordContactLink(db, actor, row, { link: link.id, purpose, step: 'sent' })
  })
}

const voidOpenLinks = (db: Db, prefixId: number, purpose: LinkPurpose, at: Date): Promise<unknown> =>
  db
    .updateTable('prefix_contact_links')
    .set({ voided_at: at })
    .where('prefix_id', '=', prefixId)
    .where('purpose', '=', purpose)
    .where('confirmed_at', 'is', null)
    .where('voided_at', 'is', null)
    .execute()

async function mailLink(
  deps: TransitDeps,
  db: Db,
  row: PrefixRow,
  link: LinkRow,
  customerEmail: string,
): Promise<void> {
  const product = deps.config.PRODUCT_NAME
  const customer = `${customerEmail} (${formatAsn(link.customer_asn)})`
  const [subject, text] =
    link.origin_asn === null
      ? [
          `May ${customerEmail} announce ${valueOf(row)} at ${product}?`,
          `The customer ${customer} wants to announce ${valueOf(row)} through ${product}. You receive this email because the registry lists this address for ${link.handle}. Confirm only if the holder of these addresses wants that. Otherwise, ignore this email or let us know.`,
        ]
      : [
          `Is ${formatAsn(link.customer_asn)} transit for ${formatAsn(link.origin_asn)} at ${product}?`,
          `The customer ${customer} wants to announce ${valueOf(row)} and other prefixes of ${formatAsn(link.origin_asn)} through ${product}. You receive this email because the registry lists this address for ${formatAsn(link.origin_asn)}. Confirm only if your network uses this customer as transit. Otherwise, ignore this email or let us know.`,
        ]
  const token = rowToken(deps.secretKey, subjectOfLink(link))
  await sendEmail(
    db,
    deps,
    { email: link.contact_email, userId: null },
    {
      subject,
      paragraphs: [text],
      action: { label: 'Confirm', url: `${deps.publicUrl()}/verify/prefix?token=${encodeURIComponent(token)}` },
      after: ['The link can be used once and expires in seven days.'],
    },
  )
}
