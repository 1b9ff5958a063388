/**
 * Measures the core time per minute that keeps the list of two thousand sessions live on an open page. The edge is
 * polled every two seconds, three sessions a second go up or down, and the page reads its first rows again with each
 * burst of change events. It counts processor time of this process and of PostgreSQL; a core has 60 000 ms of it in a
 * minute. It does not count BIRD, which runs on the edge, or the request around the page, which the bench `endpoint`
 * measures.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { parseSessions } from '../src/drivers/edge/bird/parse-protocols.ts'
import { ReplyReader } from '../src/drivers/edge/bird/reply.ts'
import { protocolName } from '../src/drivers/edge/bird/render-customer.ts'
import type { EdgeDriver } from '../src/drivers/edge/index.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { listen, type Db } from '../src/platform/db/index.ts'
import { CHANGE_CHANNEL } from '../src/platform/events.ts'
import { leaseKey } from '../src/platform/leases/agent-lease.ts'
import { sessionReconciler } from '../src/transit/sessions/session-job.ts'
import { pageOfSessions } from '../src/transit/sessions/staff-sessions.ts'
import type { Bench } from './bench.ts'
import { counted, describeServer } from './cpu-time.ts'
import { onOwnDatabase } from './own-database.ts'

const CONNECTIONS = 1_000
const ROUNDS = 30
const CHANGES_PER_ROUND = 6
/** The page size of the portal. */
const PAGE = 50
/** Five per cent of a core. */
const MOST_MS = 3_000

export default {
  open: () =>
    onOwnDatabase(async ({ db, url }) => {
      const { edgeId, connectionIds } = await addConnections(db)
      const { postmaster } = await describeServer(db)
      const edge = createReportingEdge(connectionIds)
      const reconciler = sessionReconciler({ db, clock: systemClock, edge, edgeName: 'edge' } as never)
      await reconciler.reconcile(edgeId, new AbortController().signal)
      const down = async () => (await pageOfSessions(db, { limit: PAGE })).counts.down
      let events = 0
      const listening = await listen(
        url,
        CHANGE_CHANNEL,
        (payload) => {
          if ((JSON.parse(payload) as { type: string }).type === 'session') events += 1
        },
        () => undefined,
      )
      return {
        comparisons: [
          {
            name: `${CONNECTIONS * 2} sessions kept live for a minute, processor time`,
            unit: 'ms' as const,
            ours: async () => {
              const spent = await counted(postmaster, async () => {
                for (let round = 0; round < ROUNDS; round++) {
                  edge.change()
                  events = 0
                  await reconciler.reconcile(edgeId, new AbortController().signal)
                  while (events < CHANGES_PER_ROUND) await sleep(1)
                  // The portal reads once for events that come together.
                  const shown = await down()
                  if (shown !== edge.down()) throw new Error(`${shown} sessions are shown down, not ${edge.down()}`)
                }
              })
              return spent
            },
            peer: {
              name: 'reading what BIRD says alone',
              measure: () =>
                counted(postmaster, async () => {
                  for (let round = 0; round < ROUNDS; round++) await edge.sessions()
                }),
            },
            bound: { most: MOST_MS },
          },
        ],
        close: listening.close,
      }
    }),
} satisfies Bench

async function addConnections(db: Db): Promise<{ edgeId: number; connectionIds: readonly number[] }> {
  await sql`insert into users (email, first_name, last_name, password_hash)
    select 'bench' || n || '@example.net', 'Bench', 'Customer', 'none'
    from generate_series(1, ${CONNECTIONS}::int) n`.execute(db)
  await sql`insert into transit_edges (slug, name) values ('edge', 'Edge')`.execute(db)
  // Sessions of an edge that no process drives are unknown.
  await sql`insert into leases (key, holder, epoch, process, acquired_at, renewed_at, expires_at)
    values (${leaseKey('transit_edge_agents', 'edge')}, 'bench', 1, 'bench', now(), now(), 'infinity')`.execute(db)
  await sql`insert into transit_connections (account_id, edge_id)
    select users.account_id, edge.id from users, transit_edges edge where edge.slug = 'edge'
      and users.email like 'bench%'`.execute(db)
  await sql`analyze`.execute(db)
  const edge = await db.selectFrom('transit_edges').select('id').where('slug', '=', 'edge').executeTakeFirstOrThrow()
  const rows = await db.selectFrom('transit_connections').select('id').orderBy('id').execute()
  return { edgeId: edge.id, connectionIds: rows.map(({ id }) => id) }
}

/** An edge that reports what BIRD would. */
function createReportingEdge(connectionIds: readonly number[]) {
  const down = new Set<string>()
  let turn = 0
  const texts = new Map<string, { up: string; down: string }>()
  for (const id of connectionIds)
    for (const family of [4, 6] as const) {
      const name = protocolName(id, family)
      texts.set(name, { up: describeProtocol(name, id, true), down: describeProtocol(name, id, false) })
    }
  const names = [...texts.keys()]
  const driver: Pick<EdgeDriver, 'sessions'> = {
    async sessions() {
      const reader = new ReplyReader(100_000_000)
      for (const name of names) reader.push(texts.get(name)![down.has(name) ? 'down' : 'up'])
      return parseSessions(reader.push('0000 \n')!)
    },
  }
  return {
    ...(driver as EdgeDriver),
    down: () => down.size,
    /** Each of another connection: a session that went down comes up when all have had their turn. */
    change: () => {
      for (let count = 0; count < CHANGES_PER_ROUND; count++, turn++) {
        const name = names[(turn * 2) % names.length]!
        if (!down.delete(name)) down.add(name)
      }
    },
  }
}

/** An entry of `show protocols all`, as long as BIRD 2.0.12 prints it. */
function describeProtocol(name: string, id: number, up: boolean): string {
  const since = '2026-11-21T01:50:29+0000'
  const lines = [
    `1002-${name} BGP        ---        ${up ? 'up' : 'start'}     ${since}  ${up ? 'Established' : 'Active'}   `,
    `1006-  BGP state:          ${up ? 'Established' : 'Active'}`,
    '     Neighbor address: 100.64.0.2',
    '     Neighbor AS:      500010',
    '     Local AS:         64500',
    '     Neighbor ID:      100.64.0.2',
    '     Local capabilities',
    '       Multiprotocol',
    '         AF announced: ipv4',
    '       Route refresh',
    '       Extended message',
    '       4-octet AS numbers',
    '       Enhanced refresh',
    '       Role: provider',
    '     Neighbor capabilities',
    '       Multiprotocol',
    '         AF announced: ipv4',
    '       Route refresh',
    '       4-octet AS numbers',
    '     Session:          external route-server AS4',
    `     Source address:   100.64.${id % 250}.1`,
    '     Hold timer:       7.123/9',
    '     Keepalive timer:  1.456/3',
    ...(up ? [] : ['     Last error:       BGP Error: Hold timer expired']),
    '   Channel ipv4',
    '     State:          UP',
    `     Table:          c${id}_4`,
    '     Preference:     100',
    '     Input filter:   import',
    '     Output filter:  export',
    '     Import limit:   101',
    '       Action:       block',
    '     Receive limit:  200',
    '       Action:       disable',
    `     Routes:         ${id % 100} imported, ${id % 3} filtered, 1 exported, 2 preferred`,
    '     Route change stats:     received   rejected   filtered    ignored   accepted',
    '       Import updates:              5          0          3          0          2',
    '       Import withdraws:            0          0        ---          0          0',
    '       Export updates:              9          2          6        ---          1',
    '       Export withdraws:            0        ---        ---        ---          0',
    '     BGP Next hop:   100.64.0.1',
    ' ',
  ]
  return `${lines.join('\n')}\n`
}
