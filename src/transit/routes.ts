/** The border of transit, bound to what it does. */
import type { FastifyInstance } from 'fastify'
import { conflict } from '../kernel/problem.ts'
import type { Db } from '../platform/db/index.ts'
import { mount, type Context } from '../platform/http/mount.ts'
import { createSources } from './prefixes/checks/run-checks.ts'
import { confirmLoad, endRevert, revertEdge } from './loads/revert.ts'
import { pageOfLoads } from './loads/views.ts'
import { awaitEdge } from './configuration/await-edge.ts'
import { askForCheck, refreshChecks } from './prefixes/checks/check-job.ts'
import { viewConnection } from './sessions/connection-view.ts'
import { changeConnection, validateConnectionChange } from './connections/connections.ts'
import { transitApi } from './contract.ts'
import { confirmContactLink } from './contact-links/confirm.ts'
import { draftContactLink, sendContactLink } from './contact-links/send.ts'
import { anyPrefix, decide } from './prefixes/decisions.ts'
import type { TransitDeps } from './deps.ts'
import { setMaintenance } from './edges/maintenance.ts'
import { addEdge, changeEdge, removeEdge } from './edges/inventory.ts'
import { askForReverseDns } from './evidence/reverse-dns-job.ts'
import { replacePolicy, viewPolicy } from './evidence/policy-store.ts'
import { findEdge, firstEdge, viewEdges, viewFirstEdge } from './edges/views.ts'
import { viewForStaff, viewPrefixes } from './prefixes/prefix-views.ts'
import { changeStatus } from './prefix-status.ts'
import { checkValues, validatePrefixRequest, ownPrefix, ownPrefixes, requestPrefix } from './prefixes/requests.ts'
import { readSessionEvents } from './sessions/session-events.ts'
import { pageOfSessions } from './sessions/staff-sessions.ts'
import { occupiesSpace, type StaffAction } from './states.ts'

export function transitRoutes(app: FastifyInstance, deps: TransitDeps): void {
  const { clock } = deps
  const sources = createSources(deps)

  const viewOwn = async (context: Context, id: number) => {
    const { userId } = context.principal!
    const [view] = await viewPrefixes(deps, context.db, userId, [await ownPrefix(context.db, userId, id, 'read')])
    return view!
  }

  const viewAny = async (db: Db, id: number, { principal }: Context<'admin'>) =>
    viewForStaff(deps, db, await anyPrefix(db, id, 'read'), principal)

  /** Decides, waits for the edge once that is committed, and says how far the edge is. */
  const decideAs =
    (action: StaffAction) =>
    async (
      { params, body }: { params: { id: number }; body: { reason?: string | undefined } },
      context: Context<'admin'>,
    ) => {
      const at = clock.now()
      await decide(deps, context.db, params.id, { action, reason: body.reason ?? null, actor: context.actor, at })
      context.afterCommit(async () => {
        // The first of two approvals gives the edge nothing to load.
        const { status } = await anyPrefix(deps.db, params.id, 'read')
        if (action !== 'approve' || status === 'APPROVED') await awaitEdge(deps, params.id, action === 'approve', at)
        return viewAny(deps.db, params.id, context)
      })
      return viewAny(context.db, params.id, context)
    }

  mount(
    app,
    transitApi,
    {
      'GET /api/transit_connection': (_, { db, principal }) => viewConnection(deps, db, principal.userId),
      'PUT /api/transit_connection': async ({ body }, { db, actor, principal }) => {
        await changeConnection(deps, db, actor, principal.userId, body)
        return viewConnection(deps, db, principal.userId)
      },
      'GET /api/transit_connection/events': ({ query }, { db, principal }) =>
        readSessionEvents(db, principal.userId, query),
      'GET /api/transit_prefixes': async (_, { db, principal }) =>
        viewPrefixes(deps, db, principal.userId, await ownPrefixes(db, { userId: principal.userId })),
      'GET /api/transit_prefixes/{id}': ({ params }, context) => viewOwn(context, params.id),
      'POST /api/transit_prefixes': async ({ body }, context) => {
        const id = await requestPrefix(deps, context.db, context.actor, context.principal.userId, body)
        return viewOwn(context, id)
      },
      'POST /api/transit_prefixes/check': ({ body }, { principal }) =>
        checkValues(deps, sources, principal.userId, body),
      'POST /api/transit_prefixes/{id}/check': async ({ params }, context) => {
        const row = await ownPrefix(context.db, context.principal.userId, params.id, 'read')
        if (!occupiesSpace(row.status)) throw conflict(`It is ${row.status}: it is no longer checked.`)
        await askForReverseDns(context.db, params.id, clock.now())
        await askForCheck(context.db, params.id)
        return viewOwn(context, params.id)
      },
      'DELETE /api/transit_prefixes/{id}': async ({ params }, context) => {
        const row = await ownPrefix(context.db, context.principal.userId, params.id, 'lock')
        const at = clock.now()
        await changeStatus(deps, context.db, row, { action: 'withdraw', reason: null, actor: context.actor, at })
        context.afterCommit(async () => void (await awaitEdge(deps, row.id, false, at)))
      },
      'GET /api/admin/transit_prefixes/{id}': ({ params }, context) => viewAny(context.db, params.id, context),
      'POST /api/admin/transit_prefixes/{id}/approve': decideAs('approve'),
      'POST /api/admin/transit_prefixes/{id}/reject': decideAs('reject'),
      'POST /api/admin/transit_prefixes/{id}/suspend': decideAs('suspend'),
      'GET /api/admin/transit_prefixes/{id}/contact_links/new': ({ params, query }) =>
        draftContactLink(deps, params.id, query.purpose),
      'POST /api/admin/transit_prefixes/{id}/contact_links': async ({ params, body }, context) => {
        await sendContactLink(deps, { id: params.id, ...body, actor: context.actor })
        return viewAny(deps.db, params.id, context)
      },
      'POST /api/verify/prefix': ({ body }, context) => confirmContactLink(deps, context.db, context, body.token),
      'GET /api/admin/sessions': ({ query }, { db }) => pageOfSessions(db, query),
      'GET /api/admin/prefix_policy': (_, { db }) => viewPolicy(db),
      'PUT /api/admin/prefix_policy': async ({ body }, { db, actor }) => {
        await replacePolicy(db, actor, body, clock.now())
        return viewPolicy(db)
      },
      'GET /api/admin/edges': (_, { db }) => viewEdges(deps, db),
      'POST /api/admin/edges': async ({ body }, { db, actor }) => findEdge(deps, db, await addEdge(db, actor, body)),
      'PATCH /api/admin/edges/{id}': async ({ params: { id }, body }, { db, actor }) => {
        const { maintenance, reason, ...change } = body
        await changeEdge(db, actor, id, change)
        if (maintenance !== undefined) {
          await setMaintenance(db, actor, id, { reason: maintenance ? reason! : null, now: clock.now() })
        }
        return findEdge(deps, db, id)
      },
      'DELETE /api/admin/edges/{id}': ({ params }, { db, actor }) => removeEdge(db, actor, params.id),
      'GET /api/admin/edges/{id}/loads': ({ params, query }, { db }) => pageOfLoads(db, params.id, query),
      'POST /api/admin/edges/{id}/loads/{load}/confirm': async ({ params, body }, { db, actor }) => {
        const { id: edgeId, load: loadId } = params
        await confirmLoad(db, actor, { edgeId, loadId, reason: body.reason, now: clock.now() })
        return findEdge(deps, db, edgeId)
      },
      'POST /api/admin/edges/{id}/loads/{load}/revert': async ({ params, body }, { db, actor }) => {
        const { id: edgeId, load: loadId } = params
        await revertEdge(db, actor, { edgeId, loadId, reason: body.reason, now: clock.now() })
        return findEdge(deps, db, edgeId)
      },
      'DELETE /api/admin/edges/{id}/revert': ({ params }, { db, actor }) => endRevert(db, actor, params.id),
      'GET /api/admin/edge': (_, { db }) => viewFirstEdge(deps, db),
      'PATCH /api/admin/edge': async ({ body }, { db, actor }) => {
        const reason = body.maintenance ? body.reason : null
        await setMaintenance(db, actor, await firstEdge(db), { reason, now: clock.now() })
        return viewFirstEdge(deps, db)
      },
    },
    {
      db: deps.db,
      area: 'transit',
      issueChecks: {
        'POST /api/transit_prefixes': (body, { db, principal }) => validatePrefixRequest(db, principal.userId, body),
        'PUT /api/transit_connection': (change, { db, principal }) =>
          validateConnectionChange(deps, db, principal.userId, change),
      },
      beforeTransaction: {
        'POST /api/admin/transit_prefixes/{id}/approve': async ({ params }) =>
          refreshChecks(deps, sources, await anyPrefix(deps.db, params.id, 'read')),
      },
    },
  )
}
