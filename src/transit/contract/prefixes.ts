/** The endpoints for prefixes. */
import { z } from 'zod'
import { MAX_ASN } from '../../kernel/asn.ts'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, rowId } from '../../kernel/shapes.ts'
import { ANNOUNCEMENT_TYPES, MAX_LISTED } from '../states.ts'
import { adminPrefix, checkResult, prefix } from './prefix-shapes.ts'

const originAsn = z.int('is a number such as 64500').min(1).max(MAX_ASN).optional()
const decision = z.strictObject({
  reason: z.string().trim().min(1).max(500).optional(),
  /** It takes effect ten seconds later, and can be undone until then. */
  undoable: z.boolean().optional(),
})
const waiting = z.object({ id: z.int(), value: z.string() }).nullable()

export const prefixesApi = defineApi({
  'GET /api/transit_prefixes': {
    summary: 'Prefixes of the account, newest first, each with its stages',
    access: 'verified',
    ok: [200, z.array(prefix)],
  },
  'GET /api/transit_prefixes/{id}': {
    summary: 'A prefix of the account',
    access: 'verified',
    params: byId,
    ok: [200, prefix],
  },
  'POST /api/transit_prefixes': {
    summary: 'Request a prefix',
    access: 'verified',
    auditMessage: 'requested a prefix for you',
    body: z.strictObject({
      value: z.string().trim().min(1, 'is required').max(100, 'is too long'),
      announcementType: z.enum(ANNOUNCEMENT_TYPES),
      originAsn,
    }),
    ok: [201, prefix],
    errors: [429],
  },
  'POST /api/transit_prefixes/check': {
    summary: 'Check prefixes without requesting them: problems, and the objects that fix them',
    access: 'verified',
    auditMessage: 'looked up what a request for a prefix would find; nothing was changed',
    // It queries other servers, so no transaction stays open meanwhile.
    transaction: 'own',
    body: z.strictObject({
      values: z.array(z.string().max(100, 'is too long')).min(1).max(MAX_LISTED),
      announcementType: z.enum(ANNOUNCEMENT_TYPES).default('ORIGIN'),
      originAsn,
    }),
    ok: [200, z.array(checkResult)],
    errors: [429],
  },
  'POST /api/transit_prefixes/{id}/check': {
    summary: 'Check RPKI and IRR again now',
    access: 'verified',
    auditMessage: 'had RPKI and the IRR asked about one of your prefixes again',
    params: byId,
    ok: [202, prefix],
    errors: [409],
  },
  'DELETE /api/transit_prefixes/{id}': {
    summary: 'Withdraw a prefix',
    access: 'verified',
    auditMessage: 'withdrew one of your prefixes',
    params: byId,
    ok: [204, null],
    errors: [409],
  },
  'GET /api/admin/transit_prefixes/{id}': {
    summary: 'A prefix with its owner',
    access: 'admin',
    params: byId,
    ok: [200, adminPrefix],
  },
  'GET /api/admin/transit_prefixes/next': {
    summary: 'The previous and the next prefix that wait for a decision, and how many others wait, counted up to 1,000',
    access: 'admin',
    query: z.strictObject({ from: rowId.optional() }),
    ok: [200, z.object({ next: waiting, previous: waiting, left: z.int() })],
  },
  'DELETE /api/admin/transit_prefixes/{id}/decision': {
    summary: 'Undo a decision that has not taken effect yet',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    ok: [200, adminPrefix],
    errors: [409],
  },
  'POST /api/admin/transit_prefixes/{id}/approve': {
    summary: 'Approve a prefix, or give the first of two approvals. Outdated checks run again first',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    body: decision,
    ok: [200, adminPrefix],
    errors: [409],
  },
  'POST /api/admin/transit_prefixes/{id}/reject': {
    summary: 'Reject a request',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    body: decision,
    ok: [200, adminPrefix],
    errors: [409],
  },
  'POST /api/admin/transit_prefixes/{id}/suspend': {
    summary: 'Suspend an approved prefix. The edge stops announcing it',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    body: decision,
    ok: [200, adminPrefix],
    errors: [409],
  },
})
