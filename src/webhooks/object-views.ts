/** The object in a message: the same view as in the REST API, from the same functions and schemas. */
import type { AccountId } from '../kernel/ids.ts'
import type { z } from 'zod'
import { billingApi, viewInvoiceOf } from '../billing/index.ts'
import type { Db } from '../platform/db/index.ts'
import { routersApi, viewOwnRouter } from '../routers/index.ts'
import {
  routerSessionStates,
  transitApi,
  viewConnection,
  viewOwnPrefix,
  viewOwnWindow,
  type TransitDeps,
} from '../transit/index.ts'

export interface Subject {
  readonly accountId: AccountId
  readonly type: string
  readonly id: number | null
  readonly data: Readonly<Record<string, unknown>>
}

/** Null for an object that is gone or has no view. */
export async function viewObject(transit: TransitDeps, db: Db, subject: Subject): Promise<unknown> {
  const { accountId, type } = subject
  const id = subject.id ?? 0
  switch (type) {
    case 'router': {
      const found = await viewOwnRouter(db, accountId, id)
      const sessions = found ? (await routerSessionStates(db, accountId)).get(id) : undefined
      return shaped(
        routersApi['GET /api/virtual_machines'].ok[1].element,
        found && { ...found, sessions: [...(sessions ?? [])] },
      )
    }
    case 'prefix':
      return shaped(
        transitApi['GET /api/transit_prefixes'].ok[1].element,
        await viewOwnPrefix(transit, db, accountId, id),
      )
    case 'maintenance_window':
      return shaped(
        transitApi['GET /api/maintenance_windows'].ok[1].element,
        await viewOwnWindow(db, accountId, id, transit.clock.now()),
      )
    case 'connection':
    case 'user':
      return connectionOf(transit, db, accountId)
    case 'session': {
      const { sessions } = await connectionOf(transit, db, accountId)
      return sessions.find(({ family }) => family === subject.data['family']) ?? null
    }
    case 'invoice':
    case 'payment':
      return shaped(billingApi['GET /api/invoices'].ok[1].element, await viewInvoiceOf(db, accountId, { [type]: id }))
    default:
      return null
  }
}

const connectionOf = async (transit: TransitDeps, db: Db, accountId: AccountId) =>
  transitApi['GET /api/transit_connection'].ok[1].parse(await viewConnection(transit, db, accountId))

const shaped = <S extends z.ZodType>(shape: S, view: z.input<S> | null): z.output<S> | null =>
  view === null ? null : shape.parse(view)
