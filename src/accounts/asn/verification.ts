/**
 * Proves an ASN by email: staff send a link to a mailbox that the registry lists, and its reader confirms the claim.
 */
import { sql } from 'kysely'
import type { AccountId, UserId } from '../../kernel/ids.ts'
import { hasRole } from '../../kernel/required-role.ts'
import { covers } from '../../kernel/scope.ts'
import { provesNumber, type RegistryContact } from '../../drivers/registry/index.ts'
import { formatAsn } from '../../kernel/asn.ts'
import { conflict, forbidden, invalid } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { markAsnVerified, voidOpenLinks } from './asn-ownership.ts'
import {
  publishVerified,
  insertVerification,
  readUserAsn,
  requireNotVerifiedElsewhere,
  validUntil,
  type ProofDeps,
} from './verification-attempts.ts'
import { asnToken, type AsnLink, readerOfToken, verificationIdOf } from './verification-link.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { AccountsDeps } from '../deps.ts'
import { ASN_PROOFS } from '../policy.ts'
import { recordAccountEvent } from '../events.ts'
import { link, sendAsnVerification } from '../emails/emails.ts'
import { spentLink } from '../emails/mail-tokens.ts'
import { datedContacts, requireDomainOf, type DatedContact } from './contact-domain.ts'
import type { FetchAutnum } from './registry-lookup.ts'
import { foldEmail } from '../users.ts'
import { requireNotOwnAccount } from '../owner.ts'
import { isActiveStaff } from '../suspended-by-staff.ts'

const DAY = 86_400_000
/** Network contacts read their mail in working hours and go on vacation. */
const LINK_DAYS = 7

type LinkDeps = ProofDeps & Pick<AccountsDeps, 'secretKey'>
/** Dependencies for looking up how old the domain of a contact is. */
type ContactDeps = LinkDeps & Pick<AccountsDeps, 'registry'>

interface ShownContact {
  email: string
  roles: string[]
  source: string
}

export interface AsnVerificationDraft {
  readonly user: { id: number; email: string; firstName: string; lastName: string }
  readonly asn: number | null
  readonly asnVerifiedAt: string | null
  readonly holder: string | null
  readonly changedAt: string | null
  readonly contacts: DatedContact<ShownContact>[]
  /** Contacts that the registry lists only for abuse. They cannot prove the ASN. */
  readonly abuseContacts: ShownContact[]
  readonly link: string | null
}

/** Returns what staff see before they send the link: the claim, and the registry's contacts for the ASN. */
export async function draftAsnVerification(
  deps: ContactDeps,
  db: Db,
  fetchAutnum: FetchAutnum,
  viewer: Principal,
  accountId: AccountId,
): Promise<AsnVerificationDraft> {
  const userAsn = await readUserAsn(db, accountId)
  const record = userAsn.asn === null ? null : await fetchAutnum(userAsn.asn)
  const contacts = record?.contacts ?? []
  return {
    user: { id: userAsn.userId, email: userAsn.email, firstName: userAsn.first_name, lastName: userAsn.last_name },
    asn: userAsn.asn,
    asnVerifiedAt: userAsn.verified_at?.toISOString() ?? null,
    holder: record?.holder ?? null,
    changedAt: record?.changedAt?.toISOString() ?? null,
    contacts: await datedContacts(deps, shown(contacts.filter(provesNumber))),
    abuseContacts: shown(contacts.filter((contact) => !provesNumber(contact))),
    link: (await asnVerificationLinks(deps, db, viewer, [accountId])).get(accountId) ?? null,
  }
}

/**
 * Returns a link for the last open verification of each account, which staff can pass on by another channel. Following
 * it counts as a statement by this member of staff, not by the contact, so only those who may send the verification
 * get it, and nobody for their own account. Accounts without an open verification are left out.
 */
export async function asnVerificationLinks(
  deps: LinkDeps,
  db: Db,
  viewer: Principal,
  accountIds: readonly AccountId[],
): Promise<Map<AccountId, string>> {
  const others = accountIds.filter((id) => id !== viewer.accountId)
  if (others.length === 0 || !maySend(viewer)) return new Map()
  const open = await db
    .selectFrom('asn_verifications')
    .distinctOn('account_id')
    .select(['id', 'asn', 'account_id'])
    .where('account_id', 'in', others)
    .where('method', '=', 'registry_contact')
    .where('verified_at', 'is', null)
    .where('voided_at', 'is', null)
    .where('link_expires_at', '>', deps.clock.now())
    .orderBy('account_id')
    .orderBy('id', 'desc')
    .execute()
  return new Map(
    open.map(({ id, asn, account_id: accountId }) => [accountId, linkForStaff(deps, { id, accountId, asn }, viewer)]),
  )
}

const maySend = ({ roles, scopes }: Principal): boolean =>
  hasRole(roles, 'support') && (scopes === null || covers(scopes, 'staff:write'))

const linkForStaff = (deps: LinkDeps, row: AsnLink, { userId }: Sender): string =>
  link(deps, '/verify/asn', asnToken(deps.secretKey, row, userId))

/** A link that staff were given ends with the role that it takes, and when their account is suspended. */
async function staffWhoMaySend(db: Db): Promise<UserId[]> {
  const staff = await db
    .selectFrom('users')
    .select('id')
    .where(isActiveStaff)
    .where(sql<boolean>`staff_roles && '{owner,support}'`)
    .execute()
  return staff.map(({ id }) => id)
}

type Sender = Pick<Principal, 'userId' | 'accountId'>

export interface SentAsnVerification {
  readonly id: number
  readonly asn: number
  readonly email: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly link: string
}

/**
 * Sends the link to a contact that the registry currently lists. Links sent before stop working. Throws 422 for any
 * other address, 409 when there is nothing to prove, 403 `own_request` for the sender's own account.
 */
export async function sendAsnVerificationTo(
  deps: ContactDeps,
  db: Db,
  fetchAutnum: FetchAutnum,
  request: { actor: Actor; principal: Sender; accountId: AccountId; email: string },
): Promise<SentAsnVerification> {
  const { actor, principal, accountId } = request
  requireNotOwnAccount(principal, accountId)
  const { asn, verified_at, email: customerEmail } = await readUserAsn(db, accountId)
  if (asn === null) throw conflict('This customer has not named an ASN yet.')
  if (verified_at) throw conflict(`${formatAsn(asn)} is already verified.`)
  await requireNotVerifiedElsewhere(db, asn, accountId)
  const record = await fetchAutnum(asn)
  const contact = findContact(record?.contacts ?? [], request.email)
  if (!record || !contact || !provesNumber(contact)) {
    const message = contact
      ? 'is an abuse contact only, which proves nothing: choose a contact with another role'
      : `is none of the contacts that the registry lists for ${formatAsn(asn)}`
    throw invalid([{ field: 'email', message }])
  }
  await requireDomainOf(deps, { subject: formatAsn(asn), changedAt: record.changedAt }, contact.email)
  const now = deps.clock.now()
  const expiresAt = new Date(now.getTime() + LINK_DAYS * DAY)
  await voidOpenLinks(db, accountId, 'registry_contact')
  const { id } = await insertVerification(db, 'registry_contact', {
    account_id: accountId,
    asn,
    contact_email: contact.email,
    contact_source: contact.source,
    requested_by: actor.userId,
    created_at: now,
    link_expires_at: expiresAt,
    verified_at: null,
  })
  const token = asnToken(deps.secretKey, { id, accountId, asn }, 'contact')
  await sendAsnVerification(db, deps, contact.email, { asn, customerEmail, token })
  await recordAccountEvent(db, actor, accountId, 'asn.verification_sent', { asn, verification: id, to: contact.email })
  return {
    id,
    asn,
    email: contact.email,
    createdAt: now.toISOString(),
    expiresAt: expiresAt.toISOString(),
    link: linkForStaff(deps, { id, accountId, asn }, principal),
  }
}

/**
 * Follows a link. Throws 422 if it was used, is expired or forged, or if the customer has changed the ASN since.
 * Throws 403 for staff, who would confirm their own link. The proof is recorded as what it shows: a link given to
 * staff counts as a statement by staff. A link that the customer followed while signed in counts as weaker than one
 * followed by another reader.
 */
export async function verifyAsn(
  deps: LinkDeps,
  db: Db,
  { actor, principal }: { readonly actor: Actor; readonly principal: Principal | null },
  token: string,
): Promise<{ asn: number; asnVerifiedAt: string }> {
  const now = deps.clock.now()
  const id = verificationIdOf(token)
  if (id === null) throw spentLink()
  const row = await db.selectFrom('asn_verifications').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw spentLink()
  const readers = ['contact' as const, ...(await staffWhoMaySend(db))]
  const reader = readerOfToken(deps.secretKey, { id, accountId: row.account_id, asn: row.asn }, token, readers)
  if (!reader) throw spentLink()
  if (principal?.isAdmin) {
    throw forbidden('Staff can’t confirm an ASN with a link. The registry contact opens it.', 'staff_cannot_confirm')
  }
  const bySelf = principal?.accountId === row.account_id
  const method = reader === 'contact' ? 'registry_contact' : 'staff'
  const strength = bySelf ? 'low' : ASN_PROOFS[method].strength
  const used = await db
    .updateTable('asn_verifications')
    .set({ verified_at: now, method, strength, valid_until: validUntil(strength === 'low' ? 'staff' : method, now) })
    .where('id', '=', id)
    .where('method', '=', 'registry_contact')
    .where('verified_at', 'is', null)
    .where('voided_at', 'is', null)
    .where('link_expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  if (!used || !(await markAsnVerified(db, row.account_id, row.asn, now))) throw spentLink()
  await publishVerified(deps, db, actor, row.account_id, row.asn, {
    verification: id,
    ...(reader === 'contact' ? { by: row.contact_email } : { by: 'staff_link', staff: reader }),
    ...(bySelf ? { followedBy: 'customer' } : {}),
  })
  return { asn: row.asn, asnVerifiedAt: now.toISOString() }
}

/** Records that staff vouch for the claimed ASN on other evidence. Throws 409 when there is nothing to prove. */
export async function vouchForAsn(deps: LinkDeps, db: Db, actor: Actor, accountId: AccountId): Promise<void> {
  const now = deps.clock.now()
  const { asn } = await readUserAsn(db, accountId)
  if (asn === null) throw conflict('This customer has not named an ASN yet.')
  await voidOpenLinks(db, accountId)
  const { id } = await insertVerification(db, 'staff', {
    account_id: accountId,
    asn,
    contact_email: null,
    contact_source: null,
    requested_by: actor.userId,
    created_at: now,
    link_expires_at: null,
    verified_at: now,
  })
  await markAsnVerified(db, accountId, asn, now)
  await publishVerified(deps, db, actor, accountId, asn, { verification: id, by: 'staff' })
}

const findContact = (contacts: readonly RegistryContact[], email: string): RegistryContact | undefined =>
  contacts.find((contact) => foldEmail(contact.email) === foldEmail(email))

const shown = (contacts: readonly RegistryContact[]): ShownContact[] =>
  contacts.map(({ email, roles, source }) => ({ email, roles: [...roles], source }))
