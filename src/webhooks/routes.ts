/** The API of webhooks, bound to its handlers. */
import type { FastifyInstance } from 'fastify'
import { requireConfirmedIdentity, accountOf } from '../accounts/index.ts'
import { inTransaction } from '../platform/db/index.ts'
import { mount, type Context } from '../platform/http/mount.ts'
import { webhooksApi } from './contract.ts'
import {
  findDelivery,
  listDeliveries,
  ping,
  replayDelivery,
  replaySince,
  viewDelivery,
  waitingTypes,
} from './deliveries.ts'
import type { WebhooksDeps } from './deps.ts'
import {
  addEndpoint,
  changeEndpoint,
  validateWebhookUrl,
  findEndpoint,
  listEndpoints,
  missingScopes,
  removeEndpoint,
  renewSecret,
  requireReach,
  viewEndpoint,
} from './endpoints.ts'
import { recordWebhookEvent } from './events.ts'

export function webhooksRoutes(app: FastifyInstance, deps: WebhooksDeps): void {
  const { db: database, clock } = deps

  /** Callers who may read all events of an endpoint may also change its URL. */
  const own = async ({ db, principal }: Context<'session'>, id: number) => {
    const endpoint = await findEndpoint(db, principal.accountId, id)
    requireReach(principal, endpoint.events)
    return endpoint
  }
  /** As for a new token: a stranger at an open browser must not be able to have all messages sent to them. */
  const confirmIdentityFirst = async ({ db, principal }: Context<'session'>): Promise<void> => {
    if (principal.via === 'session') await requireConfirmedIdentity(deps, db, principal)
  }

  mount(
    app,
    webhooksApi,
    {
      'GET /api/webhooks': (_, { db, principal }) => listEndpoints(db, principal.accountId, clock.now()),
      'POST /api/webhooks': async ({ body }, context) => {
        await confirmIdentityFirst(context)
        const { principal, actor } = context
        requireReach(principal, body.events)
        return inTransaction(database, (db) => addEndpoint(deps, db, actor, principal.accountId, body))
      },
      'GET /api/webhooks/{id}': ({ params }, { db, principal }) =>
        viewEndpoint(db, principal.accountId, params.id, clock.now()),
      'PATCH /api/webhooks/{id}': async ({ params, body }, context) => {
        const endpoint = await own(context, params.id)
        const { db, principal, actor } = context
        if (body.url !== undefined && body.url !== endpoint.url) {
          await confirmIdentityFirst(context)
          requireReach(principal, await waitingTypes(db, endpoint.id))
        }
        if (body.events) requireReach(principal, body.events)
        await changeEndpoint(deps, db, actor, endpoint, body)
        return viewEndpoint(db, principal.accountId, params.id, clock.now())
      },
      'DELETE /api/webhooks/{id}': ({ params }, { db, actor, principal }) =>
        removeEndpoint(db, actor, principal.accountId, params.id),
      'POST /api/webhooks/{id}/secret': async ({ params, body }, context) => {
        await own(context, params.id)
        await confirmIdentityFirst(context)
        const whose = { accountId: context.principal.accountId, id: params.id }
        return inTransaction(database, (db) => renewSecret(deps, db, context.actor, whose, body.overlapHours))
      },
      'POST /api/webhooks/{id}/ping': async ({ params }, context) =>
        ping(context.db, await own(context, params.id), clock.now()),
      'POST /api/webhooks/{id}/replay': async ({ params, body }, context) => {
        const endpoint = await own(context, params.id)
        const replayed = await replaySince(context.db, endpoint, new Date(body.since), clock.now())
        const data = { since: body.since, queued: replayed.queued }
        await recordWebhookEvent(context.db, context.actor, endpoint, 'webhook.replayed', data)
        return replayed
      },
      'GET /api/webhooks/{id}/deliveries': async ({ params, query }, { db, principal }) => {
        const { id: endpointId } = await findEndpoint(db, principal.accountId, params.id)
        return listDeliveries(db, { endpointId }, query)
      },
      'GET /api/webhooks/{id}/deliveries/{deliveryId}': async ({ params }, { db, principal }) => {
        const { id } = await findEndpoint(db, principal.accountId, params.id)
        const row = await findDelivery(db, id, params.deliveryId)
        return viewDelivery(db, row, { withBody: missingScopes(principal, [row.type]).length === 0 })
      },
      'POST /api/webhooks/{id}/deliveries/{deliveryId}/replay': async ({ params }, context) => {
        const endpoint = await own(context, params.id)
        const { id, type } = await findDelivery(context.db, endpoint.id, params.deliveryId)
        requireReach(context.principal, [type])
        return replayDelivery(context.db, endpoint, id, clock.now())
      },
      'GET /api/admin/users/{id}/webhooks': async ({ params }, { db }) =>
        listEndpoints(db, await accountOf(db, params.id), clock.now()),
      'GET /api/admin/users/{id}/webhook_deliveries': async ({ params, query }, { db }) =>
        listDeliveries(db, { accountId: await accountOf(db, params.id) }, query),
    },
    {
      db: database,
      area: 'webhooks',
      issueChecks: {
        'POST /api/webhooks': async ({ url }) => validateWebhookUrl(deps.sender, url),
        'PATCH /api/webhooks/{id}': async ({ url }) => validateWebhookUrl(deps.sender, url),
      },
    },
  )
}
