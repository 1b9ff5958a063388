/** The API of transit, bound to its handlers. */
import { accountOf, accountOfOther } from '../accounts/index.ts'
import type { FastifyInstance } from 'fastify'
import { conflict } from '../kernel/problem.ts'
import type { Db } from '../platform/db/index.ts'
import { LaterResponse, mount, type Context } from '../platform/http/mount.ts'
import { createSources } from './prefixes/checks/run-checks.ts'
import { confirmLoad, endRevert, revertEdge } from './loads/revert.ts'
import { pageOfLoads } from './loads/views.ts'
import { awaitEdge } from './configuration/await-edge.ts'
import { askForCheck, refreshChecks } from './prefixes/checks/check-job.ts'
import { viewConnection } from './sessions/connection-view.ts'
import { changeConnection, validateConnectionChange } from './connections/connections.ts'
import { transitApi } from './contract.ts'
import { confirmContactLink } from './contact-links/confirm.ts'
import { controlHandlers } from './controls/handlers.ts'
import { draftContactLink, sendContactLink } from './contact-links/send.ts'
import { withdrawConfirmation } from './contact-links/withdraw.ts'
import { draftLoa, listLoas, loaFile, revokeLoa, signLoa, verifyLoa } from './loas/loas.ts'
import { anyPrefix, decide } from './prefixes/decisions.ts'
import type { TransitDeps } from './deps.ts'
import { setMaintenance } from './edges/maintenance.ts'
import { ownWindows } from './maintenance/own-windows.ts'
import { announceWindow, changeWindow, listWindows, previewScope } from './maintenance/windows.ts'
import { addEdge, changeEdge, removeEdge } from './edges/inventory.ts'
import { askForReverseDns } from './evidence/reverse-dns-job.ts'
import { readPolicy, replacePolicy, viewPolicy } from './evidence/policy-store.ts'
import { findEdge, firstEdge, viewEdges, viewFirstEdge } from './edges/views.ts'
import { viewForStaff, viewPrefixes } from './prefixes/prefix-views.ts'
import { decideSeveral, undoSeveral, withdrawSeveral } from './prefixes/bulk-decisions.ts'
import { requestPrefixes } from './prefixes/bulk.ts'
import { startImport, viewImport } from './prefixes/import.ts'
import { decisionsWithoutEffect, holdDecision, nextToDecide, undoDecision } from './prefixes/held-decisions.ts'
import { changeQuota, readQuota, viewQuotaForStaff } from './prefixes/quota.ts'
import { changeStatus } from './prefix-status.ts'
import { checkValues, validatePrefixRequest, ownPrefix, ownPrefixes, requestPrefix } from './prefixes/requests.ts'
import { readOutages } from './sessions/outages.ts'
import { readSessionEvents } from './sessions/session-events.ts'
import { viewDownSessions } from './sessions/down-sessions.ts'
import { pageOfSessions } from './sessions/staff-sessions.ts'
import { viewTopology } from './sessions/topology.ts'
import { lookUp, lookUpAnywhere, receivedRoutes, sentRoutes } from './looking-glass/views.ts'
import { explainPrefix } from './looking-glass/why-not.ts'
import { occupiesSpace, type StaffAction } from './states.ts'

export function transitRoutes(app: FastifyInstance, deps: TransitDeps): void {
  const { clock } = deps
  const sources = createSources(deps)

  const viewOwn = async (context: Context, id: number) => {
    const { accountId } = context.principal!
    const [view] = await viewPrefixes(deps, context.db, accountId, [await ownPrefix(context.db, accountId, id, 'read')])
    return view!
  }

  const viewAny = async (db: Db, id: number, { principal }: Context<'admin'>) =>
    viewForStaff(deps, db, await anyPrefix(db, id, 'read'), principal)

  /** Decides, waits for the edge after the commit, and returns whether the edge has applied it. */
  const decideAs =
    (action: StaffAction) =>
    async (
      {
        params,
        body,
      }: { params: { id: number }; body: { reason?: string | undefined; undoable?: boolean | undefined } },
      context: Context<'admin'>,
    ) => {
      const at = clock.now()
      const decision = { action, reason: body.reason ?? null, actor: context.actor, at }
      if (body.undoable) {
        await holdDecision(context.db, params.id, decision)
        return viewAny(context.db, params.id, context)
      }
      await decide(deps, context.db, params.id, decision)
      context.afterCommit(async () => {
        // The first of two approvals leaves the edge nothing to load.
        const { status } = await anyPrefix(deps.db, params.id, 'read')
        if (action !== 'approve' || status === 'APPROVED') await awaitEdge(deps, params.id, action === 'approve', at)
      })
      return new LaterResponse((db) => viewAny(db, params.id, context))
    }

  mount(
    app,
    transitApi,
    {
      'GET /api/transit_connection': (_, { db, principal }) => viewConnection(deps, db, principal.accountId),
      'PUT /api/transit_connection': async ({ body }, { db, actor, principal }) => {
        await changeConnection(deps, db, actor, principal.accountId, body)
        return viewConnection(deps, db, principal.accountId)
      },
      ...controlHandlers(deps),
      'GET /api/transit_connection/outages': (_, { db, principal }) => readOutages(db, principal.accountId),
      'GET /api/admin/users/{id}/session_outages': async ({ params }, { db }) =>
        readOutages(db, await accountOf(db, params.id)),
      'GET /api/transit_connection/events': ({ query }, { db, principal }) =>
        readSessionEvents(db, principal.accountId, query),
      'GET /api/transit_connection/routes': ({ query }, { principal }) =>
        receivedRoutes(deps, principal.accountId, query),
      'GET /api/transit_connection/sent_routes': ({ query }, { principal }) =>
        sentRoutes(deps, principal.accountId, query),
      'GET /api/transit_connection/why': ({ query }, { principal }) =>
        explainPrefix(deps, principal.accountId, query.prefix),
      'GET /api/looking_glass': ({ query }, { principal }) => lookUp(deps, principal.accountId, query.target),
      'GET /api/admin/looking_glass': ({ query }, { principal }) => lookUpAnywhere(deps, principal.accountId, query),
      'GET /api/transit_prefixes': async (_, { db, principal }) =>
        viewPrefixes(deps, db, principal.accountId, await ownPrefixes(db, { accountId: principal.accountId })),
      'GET /api/transit_prefixes/{id}': ({ params }, context) => viewOwn(context, params.id),
      'POST /api/transit_prefixes': async ({ body }, context) => {
        const id = await requestPrefix(deps, context.db, context.actor, context.principal.accountId, body)
        return viewOwn(context, id)
      },
      'POST /api/transit_prefixes/bulk': ({ body }, { db, actor, principal }) =>
        requestPrefixes(deps, db, actor, principal.accountId, body),
      'POST /api/transit_prefixes/withdrawals': ({ body }, { db, actor, principal }) =>
        withdrawSeveral(deps, db, principal.accountId, body.ids, { actor, at: clock.now() }),
      'POST /api/transit_prefixes/import': async (_, { db, principal }) => {
        await startImport(db, clock, principal.accountId)
        return { import: await viewImport(db, principal.accountId) }
      },
      'GET /api/transit_prefixes/import': async (_, { db, principal }) => ({
        import: await viewImport(db, principal.accountId),
      }),
      'GET /api/transit_prefixes/quota': async (_, { db, principal }) =>
        readQuota(db, principal.accountId, await readPolicy(db)),
      'GET /api/admin/users/{id}/prefix_quota': async ({ params }, { db }) =>
        viewQuotaForStaff(db, await accountOf(db, params.id)),
      'PUT /api/admin/users/{id}/prefix_quota': async ({ params, body }, { db, actor, principal }) => {
        const accountId = await accountOfOther(db, principal, params.id)
        await changeQuota(db, actor, accountId, body, clock.now())
        return viewQuotaForStaff(db, accountId)
      },
      'POST /api/transit_prefixes/check': ({ body }, { principal }) =>
        checkValues(deps, sources, principal.accountId, body),
      'POST /api/transit_prefixes/{id}/check': async ({ params }, context) => {
        const row = await ownPrefix(context.db, context.principal.accountId, params.id, 'read')
        if (!occupiesSpace(row.status)) throw conflict(`It is ${row.status}: it is no longer checked.`)
        await askForReverseDns(context.db, params.id, clock.now())
        await askForCheck(context.db, params.id)
        return viewOwn(context, params.id)
      },
      'DELETE /api/transit_prefixes/{id}': async ({ params }, context) => {
        const row = await ownPrefix(context.db, context.principal.accountId, params.id, 'lock')
        const at = clock.now()
        await changeStatus(deps, context.db, row, { action: 'withdraw', reason: null, actor: context.actor, at })
        context.afterCommit(async () => void (await awaitEdge(deps, row.id, false, at)))
      },
      'GET /api/admin/transit_prefixes/next': ({ query }, { db }) => nextToDecide(db, query.from),
      'DELETE /api/admin/transit_prefixes/{id}/decision': async ({ params }, context) => {
        await undoDecision(context.db, params.id, context.actor)
        return viewAny(context.db, params.id, context)
      },
      'GET /api/admin/transit_prefixes/{id}': ({ params }, context) => viewAny(context.db, params.id, context),
      'POST /api/admin/transit_prefixes/decisions': ({ body }, { db, actor }) =>
        decideSeveral(deps, db, body, { actor, at: clock.now() }),
      'POST /api/admin/transit_prefixes/decisions/undo': ({ body }, { db, actor }) => undoSeveral(db, body.ids, actor),
      'GET /api/admin/transit_prefixes/decisions': (_, { db }) => decisionsWithoutEffect(db, clock.now()),
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
      'POST /api/verify/prefix/withdraw': ({ body }, { db, actor }) =>
        withdrawConfirmation(deps, db, actor, body.token),
      'GET /api/admin/topology': (_, { db }) => viewTopology(deps, db),
      'GET /api/admin/sessions/down': (_, { db }) => viewDownSessions(db),
      'GET /api/transit_prefixes/{id}/loas': async ({ params }, { db, principal: { accountId } }) => {
        await ownPrefix(db, accountId, params.id, 'read')
        return listLoas(deps, db, { accountId, prefixId: params.id })
      },
      'GET /api/transit_prefixes/{id}/loas/new': ({ params }, { db, principal }) =>
        draftLoa(deps, db, principal.accountId, params.id),
      'POST /api/transit_prefixes/{id}/loas': ({ params, body }, { db, actor, principal: { accountId } }) =>
        signLoa(deps, db, { actor, accountId, prefixId: params.id }, body),
      'GET /api/transit_prefixes/{id}/loas/{loa}.pdf': ({ params }, { db, principal: { accountId } }) =>
        loaFile(db, { accountId, prefixId: params.id, loa: params.loa }),
      'DELETE /api/transit_prefixes/{id}/loas/{loa}': ({ params }, { db, actor, principal: { accountId } }) =>
        revokeLoa(deps, db, actor, { accountId, prefixId: params.id, loa: params.loa }),
      'GET /api/admin/transit_prefixes/{id}/loas': async ({ params }, { db }) => {
        await anyPrefix(db, params.id, 'read')
        return listLoas(deps, db, { accountId: null, prefixId: params.id })
      },
      'GET /api/admin/transit_prefixes/{id}/loas/{loa}.pdf': ({ params }, { db }) =>
        loaFile(db, { accountId: null, prefixId: params.id, loa: params.loa }),
      'GET /api/loas/{code}': ({ params }, { db, ip }) => verifyLoa(deps, db, ip, params.code),
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
      'GET /api/maintenance_windows': (_, { db, principal }) => ownWindows(db, principal.accountId, clock.now()),
      'GET /api/admin/maintenance_windows': (_, { db }) => listWindows(db, clock.now()),
      'POST /api/admin/maintenance_windows/preview': ({ body }, { db }) => previewScope(db, body),
      'POST /api/admin/maintenance_windows': ({ body }, { db, actor }) => announceWindow(db, actor, body, clock.now()),
      'PATCH /api/admin/maintenance_windows/{id}': ({ params, body }, { db, actor }) =>
        changeWindow(db, actor, params.id, body, clock.now()),
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
        'POST /api/transit_prefixes': (body, { db, principal }) => validatePrefixRequest(db, principal.accountId, body),
        'PUT /api/transit_connection': (change, { db, principal }) =>
          validateConnectionChange(deps, db, principal.accountId, change),
      },
      beforeTransaction: {
        'POST /api/admin/transit_prefixes/decisions': async ({ body }) => {
          if (body.action !== 'approve') return
          const rows = await deps.db.selectFrom('transit_prefixes').selectAll().where('id', 'in', body.ids).execute()
          for (const row of rows) await refreshChecks(deps, sources, row)
        },
        'POST /api/admin/transit_prefixes/{id}/approve': async ({ params }) =>
          refreshChecks(deps, sources, await anyPrefix(deps.db, params.id, 'read')),
      },
    },
  )
}
