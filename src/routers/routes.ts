/** Binds the API of routers to its functions. */
import type { FastifyInstance } from 'fastify'
import { lockAccount } from '../accounts/index.ts'
import { invalid, notFound } from '../kernel/problem.ts'
import type { Db } from '../platform/db/index.ts'
import { cached } from '../platform/cached.ts'
import { mount, type Context } from '../platform/http/mount.ts'
import { actOnSeveral } from './bulk-actions.ts'
import { readCatalogue } from './inventory/catalogue.ts'
import { consoleUrl, mountConsoles } from './consoles/routes.ts'
import { issueTicket, type ConsoleKind } from './consoles/tickets.ts'
import { routersApi } from './contract.ts'
import { validateOrder, createRouter } from './create.ts'
import type { RoutersDeps } from './deps.ts'
import { deleteRouter, restoreRouter } from './deletion.ts'
import { viewDetail, viewForStaff } from './detail.ts'
import { recordRouterEvent } from './events.ts'
import { listLeased } from './hypervisors/leases.ts'
import { readSeries } from './metrics/series.ts'
import { readTotalTraffic } from './metrics/total-traffic.ts'
import {
  findOwnRouter,
  listOwnRouters,
  lockAnyRouters,
  lockOwnRouters,
  lockRouter,
  lockOwnRouter,
  type RouterRow,
} from './queries.ts'
import { retryRouter } from './retry.ts'
import { routersCsv } from './staff-csv.ts'
import { listRouters } from './staff-list.ts'
import { inventoryRoutes } from './inventory/routes.ts'
import { viewRouter } from './view.ts'
import {
  protectRouter,
  validateRouterChange,
  requireAllowed,
  renameRouter,
  requestPower,
  resizeRouter,
} from './router-commands.ts'

type Own = Context<'verified'>
type OfOne = { params: { id: number } }

/** Mounts the REST endpoints and the consoles. */
export function routersRoutes(app: FastifyInstance, deps: RoutersDeps): void {
  const { db, clock } = deps
  const totalTraffic = cached(() => readTotalTraffic(db, clock.now()))
  const leased = (on: Db) => listLeased(on, deps.hypervisors.keys())

  const openConsole = (kind: ConsoleKind) => async (input: OfOne, context: Own) => {
    const row = await own(context, input.params.id)
    requireAllowed(row, kind)
    const { secret, expiresAt } = await issueTicket(context.db, context.principal, row.id, kind, clock.now())
    await recordRouterEvent(context.db, context.actor, row, 'router.console_opened', { kind })
    return { url: consoleUrl(context.request, deps.config, kind, secret), expiresAt: expiresAt.toISOString() }
  }

  mount(
    app,
    routersApi,
    {
      'GET /api/catalogue': async (_input, context) => readCatalogue(context.db, deps, await leased(context.db)),
      'GET /api/virtual_machines': async (_input, { db: on, principal: { accountId } }) => {
        const rows = await listOwnRouters(on, { accountId })
        const sessions = await deps.contributions.sessionStates(on, accountId)
        return rows.map((row) => ({ ...viewRouter(row), sessions: [...(sessions.get(row.id) ?? [])] }))
      },
      'POST /api/virtual_machines': async ({ body }, context) => {
        await lockAccount(context.db, context.principal.accountId)
        await deps.mayOrder?.(context.db, context.principal.accountId)
        return viewRouter(
          await createRouter(context.db, context.actor, context.principal.accountId, body, {
            now: clock.now(),
            leased: await leased(context.db),
          }),
        )
      },
      'GET /api/virtual_machines/{id}': async ({ params }, context) =>
        viewDetail(context.db, await own(context, params.id), deps),
      'PATCH /api/virtual_machines/{id}': async ({ params, body }, context) => {
        const row = await requireOwnRouter(context, params.id)
        const wrong = await validateRouterChange(context.db, row, body)
        if (wrong.length > 0) throw invalid(wrong)
        if (body.name !== undefined) await renameRouter(context.db, context.actor, row, body.name, clock.now())
        if (body.deleteProtected !== undefined) {
          await protectRouter(context.db, context.actor, row, body.deleteProtected)
        }
        if (body.plan !== undefined) await resizeRouter(context.db, context.actor, row, body.plan, clock.now())
        return viewAgain(context.db, row)
      },
      'DELETE /api/virtual_machines/{id}': async ({ params }, context) => {
        const row = await requireOwnRouter(context, params.id)
        await deleteRouter(deps, context.db, context.actor, row, clock.now())
        return viewAgain(context.db, row)
      },
      'POST /api/virtual_machines/{id}/restore': async ({ params, body }, context) => {
        await lockAccount(context.db, context.principal.accountId)
        const row = await requireOwnRouter(context, params.id)
        await restoreRouter(deps, context.db, context.actor, row, { name: body.name, now: clock.now() })
        return viewAgain(context.db, row)
      },
      'POST /api/virtual_machines/{id}/actions': async ({ params, body }, context) => {
        const row = await requireOwnRouter(context, params.id)
        await requestPower(context.db, context.actor, row, body.action, clock.now())
        return viewAgain(context.db, row)
      },
      'POST /api/virtual_machines/actions': ({ body }, { db: on, actor, principal: { accountId } }) =>
        actOnSeveral(on, (ids) => lockOwnRouters(on, { accountId, ids }), body, { actor, now: clock.now() }),
      'GET /api/virtual_machines/{id}/metrics': async ({ params, query }, context) =>
        readSeries(context.db, await own(context, params.id), query, clock.now()),
      'POST /api/virtual_machines/{id}/display': openConsole('display'),
      'POST /api/virtual_machines/{id}/serial': openConsole('serial'),
      'GET /api/admin/traffic': totalTraffic,
      'GET /api/admin/virtual_machines': ({ query: { before, limit, sort, ...filter } }, context) =>
        listRouters(context.db, filter, { before, limit, sort }),
      'GET /api/admin/virtual_machines.csv': ({ query }) => ({ name: 'routers.csv', body: routersCsv(db, query) }),
      'GET /api/admin/virtual_machines/{id}': ({ params }, context) => viewForStaff(context.db, params.id, deps),
      'POST /api/admin/virtual_machines/{id}/retry': async ({ params }, context) => {
        await retryRouter(context.db, context.actor, await lockAnyRouter(context.db, params.id), clock.now())
        return viewForStaff(context.db, params.id, deps)
      },
      'POST /api/admin/virtual_machines/{id}/actions': async ({ params, body }, context) => {
        const row = await lockAnyRouter(context.db, params.id)
        await requestPower(context.db, context.actor, row, body.action, clock.now(), body.reason)
        return viewForStaff(context.db, params.id, deps)
      },
      'POST /api/admin/virtual_machines/actions': ({ body }, { db: on, actor }) =>
        actOnSeveral(on, (ids) => lockAnyRouters(on, { ids }), body, { actor, now: clock.now() }),
      'PUT /api/admin/virtual_machines/{id}/deletion_protection': async ({ params, body }, context) => {
        const row = await lockAnyRouter(context.db, params.id)
        await protectRouter(context.db, context.actor, row, body.protected, body.reason)
        return viewForStaff(context.db, params.id, deps)
      },
      'POST /api/admin/virtual_machines/{id}/restore': async ({ params, body }, context) => {
        const row = await lockAnyRouter(context.db, params.id)
        await restoreRouter(deps, context.db, context.actor, row, { name: body.name, now: clock.now() })
        return viewForStaff(context.db, params.id, deps)
      },
    },
    {
      db,
      area: 'routers',
      issueChecks: {
        'POST /api/virtual_machines': (order, asking) => validateOrder(asking.db, asking.principal.accountId, order),
        'PATCH /api/virtual_machines/{id}': async (alteration, { db: on, principal, params }) => {
          const row = await findOwnRouter(on, principal.accountId, params.id)
          return row ? validateRouterChange(on, row, alteration) : []
        },
      },
    },
  )
  inventoryRoutes(app, deps)
  mountConsoles(app, deps)
}

async function own({ db, principal }: Own, id: number): Promise<RouterRow> {
  const row = await findOwnRouter(db, principal.accountId, id)
  if (!row) throw notFound()
  return row
}

async function requireOwnRouter({ db, principal }: Own, id: number): Promise<RouterRow> {
  const row = await lockOwnRouter(db, principal.accountId, id)
  if (!row) throw notFound()
  return row
}

async function lockAnyRouter(db: Db, id: number): Promise<RouterRow> {
  const row = await lockRouter(db, id)
  if (!row) throw notFound()
  return row
}

const viewAgain = async (db: Db, row: RouterRow) => viewRouter((await findOwnRouter(db, row.account_id, row.id))!)
