/**
 * Staff who act for a customer. The session answers for the customer then, in every tab, so each page has to say in
 * `X-Acting` for whom it believes to be: a tab that slept through the beginning or the end of it changes nothing by
 * mistake, neither in the customer's name nor in that of staff.
 */
import type { FastifyRequest } from 'fastify'
import type { ActingRule, Endpoint, EndpointKey } from '../../kernel/endpoint.ts'
import { forbidden } from '../../kernel/problem.ts'
import { audit, type Actor } from '../audit.ts'
import type { Db } from '../db/index.ts'

export const ACTING_HEADER = 'x-acting'
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Throws 403 for what may not be done for a customer, or not now. */
export function demandActing(request: FastifyRequest, rule: ActingRule | undefined): void {
  const acting = request.principal?.acting
  const believed = request.headers[ACTING_HEADER]
  if (believed !== undefined && believed !== String(acting?.id)) {
    throw forbidden('Your customer view has ended.', 'acting_over')
  }
  if (!acting || rule === 'always') return
  if (rule === 'never') throw forbidden('Only the customer can do this.', 'acting_never')
  if (SAFE.has(request.method)) return
  if (believed === undefined) {
    throw forbidden('This browser is now viewing as a customer. Reload the page.', 'acting_unaware')
  }
  if (!acting.raised) throw forbidden('Read-only. Allow changes first.', 'acting_read_only')
}

/**
 * Whether it may still be done: asked last once the deed is done and before it counts, since a minute may have passed in
 * between. What commits by itself cannot be undone any more, so there it is asked right before it begins.
 */
export async function demandStillRaised(request: FastifyRequest): Promise<void> {
  const acting = request.principal?.acting
  if (!acting) return
  const now = await request.identifyAgain()
  if (now?.acting?.id !== acting.id || !now.acting.raised) {
    throw forbidden('Your permission to make changes has ended. Nothing was changed.', 'acting_over')
  }
}

/** A line about it in the customer's trail: the words are for the customer, the call for whoever looks into it. */
export async function recordDeed(
  db: Db,
  actor: Actor,
  request: FastifyRequest,
  { key, endpoint }: { readonly key: EndpointKey; readonly endpoint: Endpoint },
): Promise<void> {
  const { principal } = request
  if (!principal?.acting) return
  await audit(db, actor, {
    action: 'acting.used',
    subject: { type: 'user', id: principal.userId },
    userId: principal.userId,
    data: { acting: principal.acting.id, call: key, deed: endpoint.deed, staff: principal.acting.staff.email },
  })
}

/** Who stands in the trail. */
export function actorOf({ principal, ip, id }: FastifyRequest, { access }: Pick<Endpoint, 'access'>): Actor {
  const kind = !principal ? 'system' : access === 'admin' || principal.acting ? 'staff' : 'user'
  return { kind, userId: principal?.acting?.staff.userId ?? principal?.userId ?? null, ip, requestId: id }
}

/** Whose `Idempotency-Key` it is: those of a customer are no business of whoever acts for them. */
export function callerOf({ principal, ip }: FastifyRequest): string {
  if (principal?.acting) return `acting:${principal.acting.id}`
  return principal ? `user:${principal.userId}` : `ip:${ip}`
}
