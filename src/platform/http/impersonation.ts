/**
 * Staff who impersonate a customer. The session then belongs to the customer in every tab, so each page sends in
 * `X-Acting` for whom it acts. A tab that missed the beginning or end therefore cannot change anything by mistake,
 * neither as the customer nor as staff.
 */
import type { FastifyRequest } from 'fastify'
import type { ImpersonationRule, Endpoint, EndpointKey } from '../../kernel/endpoint.ts'
import { forbidden } from '../../kernel/problem.ts'
import { audit, type Actor } from '../audit.ts'
import type { Db } from '../db/index.ts'

export const IMPERSONATION_HEADER = 'x-impersonation'
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Throws 403 for actions that staff may not do for a customer, or not now. */
export function requireImpersonationAllowed(request: FastifyRequest, rule: ImpersonationRule | undefined): void {
  const impersonation = request.principal?.impersonation
  const believed = request.headers[IMPERSONATION_HEADER]
  if (believed !== undefined && believed !== String(impersonation?.id)) {
    throw forbidden('Your customer view has ended.', 'impersonation_ended')
  }
  if (!impersonation || rule === 'always') return
  if (rule === 'never') throw forbidden('Only the customer can do this.', 'impersonation_forbidden')
  if (SAFE.has(request.method)) return
  if (believed === undefined) {
    throw forbidden('This browser is now viewing as a customer. Reload the page.', 'impersonation_header_missing')
  }
  if (!impersonation.elevated) throw forbidden('Read-only. Allow changes first.', 'impersonation_read_only')
}

/**
 * Checks the elevation again after the action and before it commits, since a minute may have passed in between. An
 * action that commits by its own transactions cannot be undone, so there the check comes right before it.
 */
export async function requireStillElevated(request: FastifyRequest): Promise<void> {
  const impersonation = request.principal?.impersonation
  if (!impersonation) return
  const now = await request.identifyAgain()
  if (now?.impersonation?.id !== impersonation.id || !now.impersonation.elevated) {
    throw forbidden('Your permission to make changes has ended. Nothing was changed.', 'impersonation_ended')
  }
}

/** Adds an entry to the customer's audit log. The text is for the customer, the endpoint for staff who investigate. */
export async function recordImpersonatedAction(
  db: Db,
  actor: Actor,
  request: FastifyRequest,
  { key, endpoint }: { readonly key: EndpointKey; readonly endpoint: Endpoint },
): Promise<void> {
  const { principal } = request
  if (!principal?.impersonation) return
  await audit(db, actor, {
    action: 'impersonation.action_taken',
    subject: { type: 'user', id: principal.userId },
    accountId: principal.accountId,
    data: {
      impersonation: principal.impersonation.id,
      call: key,
      auditMessage: endpoint.auditMessage,
      staff: principal.impersonation.staff.email,
    },
  })
}

/** The actor in the audit log. */
export function actorOf({ principal, ip, id }: FastifyRequest, { access }: Pick<Endpoint, 'access'>): Actor {
  const kind = !principal ? 'system' : access === 'admin' || principal.impersonation ? 'staff' : 'user'
  return { kind, userId: principal?.impersonation?.staff.userId ?? principal?.userId ?? null, ip, requestId: id }
}

/**
 * Returns the owner of an `Idempotency-Key`. Staff who impersonate a customer do not share the customer's keys. Neither
 * do API tokens: a response can hold what the scopes of another token do not cover.
 */
export function callerOf({ principal, ip }: FastifyRequest): string {
  if (principal?.impersonation) return `impersonation:${principal.impersonation.id}`
  if (principal?.tokenId !== undefined) return `token:${principal.tokenId}`
  return principal ? `user:${principal.userId}` : `ip:${ip}`
}
