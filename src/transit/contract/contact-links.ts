/** The endpoints for links to registry contacts, who confirm a prefix or agree to its transit. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { asn, byId, time } from '../../kernel/shapes.ts'
import { LINK_PURPOSES } from '../states.ts'
import { adminPrefix } from './prefix-shapes.ts'

const contact = z.object({
  email: z.string(),
  roles: z.array(z.string()),
  /** The handle of the entity that lists the contact. */
  source: z.string(),
})
/** When the domain of the email address was registered; null where nobody publishes that. */
const datedContact = contact.extend({ domainRegisteredAt: time.nullable() })
const purpose = z.enum(LINK_PURPOSES)
const tokenOfLink = z.strictObject({ token: z.string().min(1, 'is required').max(200, 'is too long') })
/** The subject of a link. */
const confirmation = z.object({ prefix: z.string(), purpose, originAsn: asn.nullable() })

export const contactLinksApi = defineApi({
  'GET /api/admin/transit_prefixes/{id}/contact_links/new': {
    summary: 'Registry contacts for the block of a prefix, or for the ASN of its downstream',
    access: 'admin',
    params: byId,
    query: z.object({ purpose: purpose.default('SPACE') }),
    // It queries the registry, so no transaction stays open meanwhile.
    transaction: 'own',
    ok: [
      200,
      z.object({
        /** The block or the ASN; null where the registry lists nobody. */
        subject: z.string().nullable(),
        holder: z.string().nullable(),
        /** When the registry last changed the subject, where it publishes that. */
        changedAt: time.nullable(),
        contacts: z.array(datedContact),
        /** Contacts listed only for abuse, who get no link. */
        abuseContacts: z.array(contact),
      }),
    ],
    errors: [409, 503],
  },
  'POST /api/admin/transit_prefixes/{id}/contact_links': {
    summary: 'Email a confirmation link to one of the current registry contacts',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    body: z.strictObject({ purpose, email: z.string().trim().min(3).max(254) }),
    transaction: 'own',
    ok: [201, adminPrefix],
    errors: [409, 503],
  },
  'POST /api/verify/prefix': {
    summary: 'Confirm a prefix, or agree to its transit, with an emailed link. Staff get 403 `staff_cannot_confirm`',
    access: 'public',
    impersonation: 'never',
    body: tokenOfLink,
    ok: [200, confirmation],
    errors: [403],
  },
  'POST /api/verify/prefix/withdraw': {
    summary: 'Withdraw the confirmation of a prefix with an emailed link',
    access: 'public',
    impersonation: 'never',
    body: tokenOfLink,
    ok: [200, confirmation],
  },
})
