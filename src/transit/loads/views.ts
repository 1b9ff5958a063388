/** Loads of an edge as staff see them. */
import { notFound } from '../../kernel/problem.ts'
import type { Reply } from '../../kernel/endpoint.ts'
import type { Db } from '../../platform/db/index.ts'
import { pageOf } from '../../platform/page-of.ts'
import type { TransitApi } from '../contract.ts'
import type { CustomerChange } from './changes.ts'

/** The most prefixes and customers shown of one load: a first load has all of an edge. */
const MAX_LINES = 100

interface LoadQuery {
  readonly before?: number | undefined
  readonly limit: number
}

export async function pageOfLoads(
  db: Db,
  edgeId: number,
  { before, limit }: LoadQuery,
): Promise<Reply<TransitApi['GET /api/admin/edges/{id}/loads']>> {
  const edge = await db.selectFrom('transit_edges').select('id').where('id', '=', edgeId).executeTakeFirst()
  if (!edge) throw notFound()
  const rows = await db
    .selectFrom('transit_edge_loads as load')
    .leftJoin('users', 'users.id', 'load.confirmed_by')
    .selectAll('load')
    .select('users.email')
    .where('load.edge_id', '=', edgeId)
    .$if(before !== undefined, (query) => query.where('load.id', '<', before!))
    .orderBy('load.id', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown, next } = pageOf(rows, limit, ({ id }) => Number(id))
  const cut = new Map(shown.map(({ id, changes }) => [id, cutOff(changes)]))
  const customers = await readCustomers(
    db,
    [...cut.values()].flatMap(({ lines }) => lines.map(({ id }) => id)),
  )
  return {
    loads: shown.map((row) => ({
      id: Number(row.id),
      at: row.at.toISOString(),
      state: row.state,
      generation: row.generation,
      previousGeneration: row.previous_generation,
      counts: {
        customersAdded: row.customers_added,
        customersRemoved: row.customers_removed,
        prefixesAdded: row.prefixes_added,
        prefixesRemoved: row.prefixes_removed,
      },
      changes: cut.get(row.id)!.lines.map(({ id, asn, what, added, removed }) => ({
        customer: {
          connection: id,
          user: customers.get(id)?.user ?? null,
          name: customers.get(id)?.name ?? 'deleted',
          asn,
        },
        what,
        added: [...added],
        removed: [...removed],
      })),
      leftOff: cut.get(row.id)!.leftOff,
      causes: [...row.causes],
      detail: row.detail,
      confirmed: row.confirmed_at && {
        at: row.confirmed_at.toISOString(),
        by: row.email,
        reason: row.confirmed_reason ?? '',
      },
    })),
    next,
  }
}

/** Puts what is dropped first, because staff have to see that. */
function cutOff(changes: readonly CustomerChange[]): { lines: CustomerChange[]; leftOff: number } {
  const lines: CustomerChange[] = []
  let room = MAX_LINES
  let leftOff = 0
  for (const change of changes.toSorted((a, b) => b.removed.length - a.removed.length || a.id - b.id)) {
    const removed = change.removed.slice(0, Math.max(0, room - 1))
    const added = change.added.slice(0, Math.max(0, room - 1 - removed.length))
    const size = 1 + change.removed.length + change.added.length
    const taken = room > 0 ? 1 + removed.length + added.length : 0
    if (taken > 0) lines.push({ ...change, removed, added })
    leftOff += size - taken
    room -= taken
  }
  return { lines, leftOff }
}

async function readCustomers(db: Db, connections: readonly number[]) {
  if (connections.length === 0) return new Map<number, { user: number; name: string }>()
  const rows = await db
    .selectFrom('transit_connections as connection')
    .innerJoin('users', 'users.account_id', 'connection.account_id')
    .select(['connection.id', 'users.id as user', 'users.first_name', 'users.last_name'])
    .where((eb) => eb('connection.id', '=', eb.fn.any(eb.val([...connections]))))
    .execute()
  return new Map(rows.map(({ id, user, first_name, last_name }) => [id, { user, name: `${first_name} ${last_name}` }]))
}
