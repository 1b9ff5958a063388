/** Confirms a link that was emailed to a registry contact, and ends confirmations whose holder changed. */
import { formatAsn } from '../../kernel/asn.ts'
import { forbidden, invalid } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { TransitWriter } from '../deps.ts'
import { recordContactLink } from '../events.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { changedHands } from '../evidence/registration.ts'
import { readRounds, replaceEvidence } from '../evidence/store.ts'
import { valueOf, type PrefixRow } from '../prefix-row.ts'
import { askForCheck } from '../prefixes/checks/check-job.ts'
import { OCCUPYING_STATUSES } from '../states.ts'
import { findLinkOf, subjectOfLink, type LinkRow } from './link.ts'
import { mailWithdrawalLink } from './withdraw.ts'

/** How long the confirmation of a holder or a downstream is valid. */
const VALID_MS = 365 * 86_400_000

const spent = () => invalid([{ field: 'token', message: 'is used, too old or not a link of ours' }])

/**
 * Throws 422 when the link is used, stale, forged, or about an earlier state of the request. Throws 403 for staff, who
 * would confirm what they sent themselves, and for the customer where the downstream has to agree.
 */
export async function confirmContactLink(
  deps: TransitWriter,
  db: Db,
  { actor, principal }: { readonly actor: Actor; readonly principal: Principal | null },
  token: string,
): Promise<{ prefix: string; purpose: LinkRow['purpose']; originAsn: number | null }> {
  const seen = await findLinkOf(db, deps.secretKey, subjectOfLink, token)
  if (!seen) throw spent()
  if (principal?.isAdmin)
    throw forbidden('Staff can’t confirm a prefix with a link. The registry contact opens it.', 'staff_cannot_confirm')
  const row = await subjectNow(db, seen)
  if (!row) throw spent()
  const bySelf = principal?.accountId === row.account_id
  if (bySelf && seen.purpose === 'DOWNSTREAM')
    throw forbidden('The downstream network has to agree, not its provider.', 'customer_cannot_confirm')
  const at = deps.clock.now()
  const link = await db
    .updateTable('prefix_contact_links')
    .set({ confirmed_at: at, valid_until: new Date(at.getTime() + VALID_MS), by_customer: bySelf })
    .where('id', '=', seen.id)
    .where('confirmed_at', 'is', null)
    .where('voided_at', 'is', null)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst()
  if (!link) throw spent()
  if (link.purpose === 'SPACE') await replaceEvidence(db, row.id, 'rdap_contact', [contactEvidence(link, at)])
  await recordContactLink(db, actor, row, { link: link.id, purpose: link.purpose, step: 'confirmed' })
  await mailWithdrawalLink(deps, db, valueOf(row), link)
  await askForCheck(db, row.id)
  return { prefix: valueOf(row), purpose: link.purpose, originAsn: link.origin_asn }
}

/** Returns the request that the link is about, locked; null when the request has changed since. */
async function subjectNow(db: Db, link: LinkRow): Promise<PrefixRow | null> {
  const row = await db
    .selectFrom('transit_prefixes')
    .selectAll()
    .where('id', '=', link.prefix_id)
    .where('status', 'in', OCCUPYING_STATUSES)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return null
  const ownership = await db
    .selectFrom('asn_ownerships')
    .select('asn')
    .where('account_id', '=', row.account_id)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  const round = (await readRounds(db, [row.id])).get(row.id) ?? 0
  const same =
    ownership?.asn === link.customer_asn &&
    (link.purpose === 'SPACE' ? round === link.round : row.origin_asn === link.origin_asn)
  return same ? row : null
}

/** The evidence that the customer sees. Only staff see the contact itself. */
function contactEvidence(link: LinkRow, at: Date): Evidence {
  const role = link.contact_roles.find((one) => one.toLowerCase() !== 'abuse')
  const contact = `The ${role ? `${role.toLowerCase()} ` : ''}contact of ${link.handle}`
  return {
    kind: 'rdap_contact',
    source: link.registry,
    // A contact who is also the customer can prove it in a way that does not go through the customer's own browser.
    strength: link.by_customer ? 'weak' : 'medium',
    seen: `${contact} followed the link that was mailed${link.by_customer ? ', signed in as the customer' : ''}.`,
    observedAt: at,
    expiresAt: link.valid_until,
    nextCheckAt: null,
  }
}

/** Ends what the former holder of the downstream ASN agreed to, when the registry names another holder. */
export async function endMovedConsents(
  db: Db,
  { prefix, asn, registrants, at }: { prefix: PrefixSubject; asn: number; registrants: readonly string[]; at: Date },
  actor: Actor,
): Promise<void> {
  const links = await db
    .selectFrom('prefix_contact_links')
    .selectAll()
    .where('prefix_id', '=', prefix.id)
    .where('purpose', '=', 'DOWNSTREAM')
    .where('origin_asn', '=', asn)
    .where('voided_at', 'is', null)
    .execute()
  const moved = links.filter((link) => changedHands(link.registrants, registrants))
  for (const { id } of moved) {
    await db.updateTable('prefix_contact_links').set({ voided_at: at }).where('id', '=', id).execute()
    await recordContactLink(db, actor, prefix, {
      link: id,
      purpose: 'DOWNSTREAM',
      step: `ended: ${formatAsn(asn)} has another holder`,
    })
  }
  if (moved.length > 0) await askForCheck(db, prefix.id)
}
type PrefixSubject = Pick<PrefixRow, 'id' | 'account_id' | 'value'>
