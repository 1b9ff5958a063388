/** Customers' actions on their sessions and on traffic to their addresses, and staff decisions about limits. */
import { z } from 'zod'
import { shutdownMessageIssue } from '../../drivers/edge/index.ts'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, time, written } from '../../kernel/shapes.ts'
import { BLACKHOLE_MINUTES, DRAIN_MINUTES, LIMIT_REQUEST_STATUSES } from '../states.ts'
import { connection, password } from './connection.ts'

const family = z.union([z.literal(4), z.literal(6)])
/** More routes than the global table has. */
const routes = z.int().min(1).max(2_000_000)
const reason = z.string().trim().min(3).max(500)

export const limitRequest = z.object({
  id: z.int(),
  family,
  routes: z.int(),
  reason: z.string(),
  status: z.enum(LIMIT_REQUEST_STATUSES),
  createdAt: time,
  decidedAt: time.nullable(),
  decisionReason: z.string().nullable(),
  granted: z.int().nullable(),
})

export const staffLimitRequest = limitRequest.extend({
  customer: z.object({ id: z.int(), email: z.string(), firstName: z.string(), lastName: z.string() }),
  /** The current limit. */
  receiveLimit: z.int(),
})

export const blackhole = z.object({ id: z.int(), address: z.string(), createdAt: time, expiresAt: time })

const message = z.string().superRefine((text, context) => {
  const issue = shutdownMessageIssue(text)
  if (issue !== null) context.addIssue(issue)
})

export const controlsApi = defineApi({
  'PUT /api/transit_connection/shutdown': {
    summary: 'Shut both BGP sessions down. The router receives the message (RFC 9003); both stay down until enabled',
    access: 'session',
    auditMessage: 'shut down your BGP sessions',
    body: z.strictObject({ message: message.optional() }),
    ok: [200, connection],
  },
  'DELETE /api/transit_connection/shutdown': {
    summary: 'Enable the BGP sessions again',
    access: 'session',
    auditMessage: 'enabled your BGP sessions',
    ok: [200, connection],
  },
  'PUT /api/transit_connection/drain': {
    summary: 'Announce the prefixes as a last resort for some minutes (RFC 8326). It ends automatically',
    access: 'session',
    auditMessage: 'drained your BGP sessions',
    body: z.strictObject({ minutes: z.int().min(DRAIN_MINUTES.least).max(DRAIN_MINUTES.most) }),
    ok: [200, connection],
    errors: [409],
  },
  'DELETE /api/transit_connection/drain': {
    summary: 'End the drain now',
    access: 'session',
    auditMessage: 'ended the drain of your BGP sessions',
    ok: [200, connection],
  },
  'PUT /api/transit_connection/password_change': {
    summary: 'Schedule a new TCP MD5 key, or start it by hand. The edge keeps it if a session comes up',
    access: 'session',
    auditMessage: 'planned another key for your BGP sessions',
    body: z.strictObject({ password, at: time.optional() }),
    ok: [200, connection],
    errors: [409],
  },
  'POST /api/transit_connection/password_change/start': {
    summary: 'Switch the edge to the new key now. It reverts in five minutes unless a session comes up',
    access: 'session',
    auditMessage: 'changed the key of your BGP sessions',
    ok: [200, connection],
    errors: [409],
  },
  'DELETE /api/transit_connection/password_change': {
    summary: 'Cancel the key change. A new key that is being tried is reverted',
    access: 'session',
    auditMessage: 'canceled the new key of your BGP sessions',
    ok: [200, connection],
  },
  'POST /api/transit_connection/sessions/{family}/clear': {
    summary: 'Bring up a session that was closed for exceeding its route limit, at the earliest after a minute',
    access: 'session',
    auditMessage: 'cleared the route limit of your BGP session',
    params: z.object({ family: written(family) }),
    ok: [200, connection],
    errors: [409],
  },
  'PUT /api/transit_connection/sessions/{family}/bfd': {
    summary:
      'Turn BFD (RFC 5880) on or off for one session. The session does not restart, even if the router runs no BFD',
    access: 'session',
    auditMessage: 'turned BFD of your BGP session on or off',
    params: z.object({ family: written(family) }),
    body: z.strictObject({ enabled: z.boolean() }),
    ok: [200, connection],
  },
  'GET /api/transit_connection/limit_requests': {
    summary: 'Requests for a higher route limit, newest first',
    access: 'session',
    ok: [200, z.array(limitRequest)],
  },
  'POST /api/transit_connection/limit_requests': {
    summary: 'Request a higher route limit. It replaces a pending request',
    access: 'session',
    auditMessage: 'asked for a higher route limit',
    body: z.strictObject({ family, routes, reason }),
    ok: [201, z.array(limitRequest)],
    errors: [409],
  },
  'GET /api/admin/limit_requests': {
    summary: 'Pending requests for a higher route limit, oldest first; at most 200',
    access: 'admin',
    ok: [200, z.array(staffLimitRequest)],
  },
  'POST /api/admin/limit_requests/{id}/decide': {
    summary: 'Set the route limit, or decline the request with `routes` null. The customer sees the reason',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    body: z.strictObject({ routes: routes.nullable(), reason }),
    ok: [200, z.array(staffLimitRequest)],
    errors: [409],
  },
  'GET /api/transit_blackholes': {
    summary: 'Addresses of the account whose traffic is dropped',
    access: 'session',
    ok: [200, z.array(blackhole)],
  },
  'POST /api/transit_blackholes': {
    summary: 'Drop all traffic to one address inside an approved prefix for some minutes (RFC 7999)',
    access: 'session',
    auditMessage: 'blackholed one of your addresses',
    body: z.strictObject({
      address: z.string().trim().max(45),
      minutes: z.int().min(BLACKHOLE_MINUTES.least).max(BLACKHOLE_MINUTES.most),
    }),
    ok: [201, blackhole],
    errors: [409],
  },
  'DELETE /api/transit_blackholes/{id}': {
    summary: 'Stop dropping the traffic to the address',
    access: 'session',
    auditMessage: 'removed one of your blackholes',
    params: byId,
    ok: [204, null],
  },
})
