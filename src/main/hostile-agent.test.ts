/** An agent whose host was compromised, with a key that is accepted: what it can do, and to whom. */
import { accountIdOf } from '../platform/db/testing.ts'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { performServerHandshake, type ServerHttp2Stream } from 'node:http2'
import { createServer } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createEnrolmentToken } from '../accounts/index.ts'
import { createKeyPair } from '../drivers/agent/certificates.ts'
import { enrolAt, keepDialling, type Credentials } from '../drivers/agent/dial.ts'
import { readEnrolmentToken } from '../drivers/agent/enrolment-token.ts'
import { Fence } from '../drivers/agent/fence.ts'
import type { Hello } from '../drivers/agent/protocol.ts'
import { serveEdge, serveLink } from '../drivers/agent/serve.ts'
import { createSimulatedEdge } from '../drivers/edge/simulated/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { SYSTEM } from '../platform/audit.ts'
import { createHttp } from '../platform/http/server.ts'
import { fencedDb } from '../platform/leases/index.ts'
import { stopPretending } from '../platform/leases/testing.ts'
import { createReconcilerStats } from '../platform/reconcile.ts'
import { hypervisorReconcilers } from '../routers/index.ts'
import { createTransitTestApp, OPERATOR } from '../transit/testing.ts'
import { createAgentGateway } from './agent-gateway.ts'
import { createEdgeAgents } from './edge-agents.ts'
import { createHypervisorAgents } from './hypervisor-agents.ts'

const secretKey = 'a secret key that only the tests know'
const LIAR = 'liar'
/** The tables that an honest agent and its worker update regularly. */
const SIGNS_OF_LIFE = new Set(['agents', 'leases', 'transit_edges'])
const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { db, database, bus } = testApp
const log = pino({ level: 'silent' })
const address = { host: '127.0.0.1', port: await freePort() }
const stops: (() => Promise<unknown>)[] = []
const victim = { uuid: '', prefix: '', installation: randomUUID(), connection: 0 }
let own = ''

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

beforeAll(async () => {
  const { app } = await createHttp({
    config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
    log,
    secretKey,
    secure: false,
    authenticate: () => Promise.resolve(null),
  })
  const shared = { database, secretKey, clock: systemClock, log, bus, reconcilerStats: createReconcilerStats() }
  const config = {
    ROLE: 'worker',
    DATA_DIR: '/nonexistent',
    HOST: '127.0.0.1',
    AGENT_URL: undefined,
    AGENT_LISTEN: address,
    EDGE_ROUTER_ID: OPERATOR.routerId,
    EDGE_WITHOUT_VRPS: 'closed',
    EDGE_MAX_SHRINK: 20,
    hypervisorSlug: null,
    edgeSlug: null,
  } as const
  const hypervisors = createHypervisorAgents(app, { ...shared, config, hypervisor: null })
  const edges = createEdgeAgents({ ...shared, config, edge: null, operatorAsn: OPERATOR.asn })
  const gateway = createAgentGateway({ ...shared, config, operatorAsn: OPERATOR.asn, hypervisors, edges })
  const contributions = { guestConfig: () => Promise.resolve({ birdConf: '', allowedSources: [] }) }
  const deps = { db: fencedDb(database, systemClock), clock: systemClock, log, contributions, pricing: undefined }
  await gateway.start(
    (guarded) => hypervisorReconcilers({ ...deps, hypervisors: guarded }),
    (all) => all,
  )
  stops.push(
    () => testApp.close(),
    () => app.close(),
    () => gateway.close(),
  )

  const staff = await testApp.addUser({ isAdmin: true })
  const lab = await testApp.lab()
  const liars = await testApp.addLabSite({ slug: LIAR, name: 'Liar', segment: 120 })
  const { body: edge } = await testApp.call(staff, 'POST', '/api/admin/edges', { slug: LIAR, name: 'Liar' })
  await testApp.call(staff, 'PATCH', `/api/admin/edges/${edge.id}`, { sites: [liars.site] })
  const { userId, routerId } = await testApp.addConnected(553_001, null, lab)
  await testApp.request(userId, '45.100.1.0/24')
  victim.prefix = '45.100.1.0/24'
  const router = db.selectFrom('routers').select('uuid')
  victim.uuid = (await router.where('id', '=', routerId).executeTakeFirstOrThrow()).uuid
  victim.connection = (
    await db
      .selectFrom('transit_connections')
      .select('id')
      .where('account_id', '=', accountIdOf(userId))
      .executeTakeFirstOrThrow()
  ).id
  const ownRouter = await testApp.addRouter(await testApp.addUser({ asn: 553_002 }), liars)
  own = (await router.where('id', '=', ownRouter).executeTakeFirstOrThrow()).uuid
  await db.insertInto('hypervisor_agents').values({ slug: 'lab', installation: victim.installation }).execute()
}, 120_000)
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
})

async function enrol(kind: 'hypervisor' | 'edge', slug: string): Promise<Credentials> {
  const { token } = await createEnrolmentToken({ secretKey, clock: systemClock }, db, SYSTEM, { kind, slug })
  const { secret, authority } = readEnrolmentToken(token)
  const { publicKey, privateKey } = createKeyPair()
  const reply = await enrolAt(address, authority, { token: secret, publicKey })
  if ('refused' in reply) throw new Error(reply.refused)
  return { certificate: reply.certificate, privateKey, authority }
}

function dial(credentials: Credentials, serve: (socket: TLSSocket) => Promise<void>): () => Promise<void> {
  const end = new AbortController()
  const dialling = keepDialling({ address, credentials, serve, signal: end.signal, onState: () => undefined })
  return async () => {
    end.abort()
    await dialling
  }
}

type Answer = (stream: ServerHttp2Stream, method: string) => void

/** Speaks the protocol, with answers of the test's choice. */
const playing = (answer: Answer) => async (socket: TLSSocket) => {
  const session = performServerHandshake(socket)
  session.on('error', () => undefined)
  session.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    answer(stream, headers[':path']!.slice(1))
  })
  await once(socket, 'close')
}
const say = (stream: ServerHttp2Stream, body: string, status = 200) => {
  stream.respond({ ':status': status })
  stream.end(body)
}
const HELLO: Hello = {
  release: 'liar',
  kind: 'simulated',
  why: 'it lies',
  installation: randomUUID(),
  routerId: '192.0.2.66',
  operatorAsn: OPERATOR.asn,
}

let readings = 0
/** Claims everything of the victim's as its own. */
function lies(method: string): unknown {
  const uuids = [victim.uuid, own]
  const counter = String(1_000_000_000_000 * ++readings)
  const session = { since: new Date().toISOString(), received: 7, accepted: 7, exported: 7, lastError: 'liar' }
  const known: Readonly<Record<string, unknown>> = {
    hello: HELLO,
    facts: {
      driver: 'simulated',
      address: null,
      version: 'liar',
      acceleration: 'none',
      cpus: 4,
      memory: 1,
      memoryOverhead: 0,
      disk: 1,
      cpuUsage: 0.5,
      memoryUsage: 0.5,
    },
    images: [],
    list: uuids.map((uuid) => ({ uuid, state: 'off' })),
    orphanedResources: uuids,
    state: 'crashed',
    endedBy: 'guest',
    stats: uuids.map((uuid) => ({
      uuid,
      at: new Date().toISOString(),
      cpuTimeNs: counter,
      memoryUsed: 1,
      memoryTotal: 1,
      rxBytes: counter,
      txBytes: counter,
    })),
    ensure: { changed: 'nothing' },
    guardPorts: { repaired: false },
    'guest.exec': { exitCode: 0, stdout: '', stderr: '' },
    running: { generation: 'a lie', version: 'liar' },
    sessions: [{ customerId: victim.connection, family: 4, state: 'ESTABLISHED', ...session }],
    routes: [{ prefix: victim.prefix, origin: 553_001, accepted: true, rejection: null, exported: true }],
    upstreams: [{ name: 'liar', asn: 1, address: '', state: 'IDLE', ...session }],
    refusedFromUpstreams: {
      logError: 'a lie',
      rejections: [{ upstream: 'liar', prefix: victim.prefix, rejection: 15, at: '2026-11-20T03:00:00.000Z' }],
    },
    rpki: null,
    pinnedNeighbors: [],
    apply: { generation: 'a lie', changed: true },
    pinNeighbors: { changed: 0 },
  }
  return Object.hasOwn(known, method) ? known[method] : null
}
const lying: Answer = (stream, method) => {
  if (method !== 'events') return say(stream, JSON.stringify(lies(method)))
  stream.respond({ ':status': 200 })
  const events = [
    { type: 'connected' },
    { type: 'machine', uuid: victim.uuid, state: 'crashed' },
    { type: 'agent', uuid: victim.uuid, up: true },
  ]
  stream.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
}

/** Returns every row except those of the agent itself: its hypervisor, edge, router and lease. */
async function rowsOfOthers(): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db)
  const mine = await db
    .selectFrom('routers')
    .select(['id', 'account_id'])
    .where('uuid', '=', own)
    .executeTakeFirstOrThrow()
  const host = sql<number>`(select id from hypervisors where slug = ${LIAR})`
  const edge = sql<number>`(select id from transit_edges where slug = ${LIAR})`
  const all: Record<string, string[]> = {}
  for (const { name } of tables.toSorted((a, b) => a.name.localeCompare(b.name))) {
    const { rows } = await sql<{ row: string }>`
      select row::text from (select to_jsonb(t) as row from ${sql.table(name)} t) as rows
      where coalesce(row->>'slug', '') <> ${LIAR} and coalesce(row->>'key', '') not like ${`% ${LIAR}`}
        and coalesce((row->>'router_id')::text, '') <> ${String(mine.id)}
        and not (${name} = 'routers' and row->>'uuid' = ${own})
        and not (${name} = 'audit_events' and row->>'subject_type' = 'agent')
        and not (coalesce(row->>'subject_type', '') = 'router' and row->>'subject_id' = ${String(mine.id)})
        and coalesce(row->>'hypervisor_id', '') <> ${host}::text and coalesce(row->>'edge_id', '') <> ${edge}::text
      order by row::text`.execute(db)
    all[name] = rows.map(({ row }) => row)
  }
  // The hash chain of the audit log also covers the entries about its enrollment.
  for (const name of ['audit_links', 'audit_head', 'row_counts']) delete all[name]
  return all
}
const hostOf = (slug: string) =>
  db.selectFrom('hypervisors').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow()
const edgeOf = (slug: string) =>
  db.selectFrom('transit_edges').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow()

describe('a hostile agent', { timeout: 60_000 }, () => {
  it('can lie about its own machines and its own edge, and about nothing else', async () => {
    const credentials = [await enrol('hypervisor', LIAR), await enrol('edge', LIAR)]
    const before = await rowsOfOthers()
    const ends = credentials.map((one) => dial(one, playing(lying)))
    // The portal believes what it says about itself, so the lies below were received.
    await vi.waitUntil(async () => (await hostOf(LIAR)).connected, { timeout: 15_000 })
    await vi.waitUntil(async () => (await edgeOf(LIAR)).observed_at !== null, { timeout: 15_000 })
    expect((await hostOf(LIAR)).cpu_usage).toBe(0.5)
    await sleep(4_000)
    const { rows: counted } = await sql`select from router_counters`.execute(db)
    expect(counted).toHaveLength(1)
    expect(await rowsOfOthers()).toEqual(before)
    for (const end of ends) await end()
  })

  it.each([
    ['hypervisor', () => ({ ...HELLO, installation: victim.installation }), 'one installation drives one hypervisor'],
    ['hypervisor', () => ({ ...HELLO, kind: 'bird' as const }), 'drives bird, and was enrolled for a hypervisor'],
    ['edge', () => ({ ...HELLO, routerId: OPERATOR.routerId }), 'each edge needs one of its own'],
    ['edge', () => ({ ...HELLO, routerId: '192.0.2.67' }), 'this edge was 192.0.2.66'],
    ['edge', () => ({ ...HELLO, operatorAsn: 666 }), 'OPERATOR_ASN of the agent'],
  ] as const)('that says it is another %s is not driven, and the other keeps its own', async (kind, hello, why) => {
    const credentials = await enrol(kind, LIAR)
    // Resets the row, as if it had never connected.
    await db.deleteFrom('hypervisor_agents').where('slug', '=', LIAR).execute()
    const before = await rowsOfOthers()
    const end = dial(
      credentials,
      playing((stream, method) => (method === 'hello' ? say(stream, JSON.stringify(hello())) : lying(stream, method))),
    )
    const table = kind === 'hypervisor' ? 'hypervisor_agents' : 'transit_edge_agents'
    const waiting = async () =>
      (await db.selectFrom(table).select('waiting').where('slug', '=', LIAR).executeTakeFirst())?.waiting ?? ''
    await vi.waitUntil(async () => (await waiting()).includes(why), { timeout: 20_000 })
    expect(await rowsOfOthers()).toEqual(before)
    await end()
  })
})

describe('an honest edge', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await stopPretending(db, 'edge edge1')
    const driver = createSimulatedEdge({ sessionDelayMs: 0 })
    const hello: Hello = { ...HELLO, why: 'honest', routerId: OPERATOR.routerId }
    const fence = new Fence()
    const served = serveEdge(driver, async () => hello)
    stops.push(dial(await enrol('edge', 'edge1'), (socket) => serveLink(socket, served, fence)))
    // Its first observation records events of the sessions that come up.
    const established = async () =>
      (await db.selectFrom('transit_sessions').select('family').where('state', '=', 'ESTABLISHED').execute()).length
    await vi.waitUntil(async () => (await established()) === 2, { timeout: 20_000 })
    // The simulated edge of the test held the lease before; a message about that would change a row later.
    const waiting = async () =>
      (
        await db
          .selectFrom('transit_edge_agents')
          .select('waiting')
          .where('slug', '=', 'edge1')
          .executeTakeFirstOrThrow()
      ).waiting
    await vi.waitUntil(async () => (await waiting()) === null, { timeout: 20_000 })
  })

  it.each<[string, Answer]>([
    ['says what has another shape', (stream) => say(stream, '[{"customerId":{"$ne":1}}]')],
    ['says what is no JSON', (stream) => say(stream, '\u0000'.repeat(1_000))],
    ['fails with what is none', (stream) => say(stream, '{"kind":["root"]}', 422)],
    ['never answers', () => undefined],
    ['hangs up on every question', (stream) => stream.session!.destroy()],
    [
      'answers without an end',
      (stream) => {
        stream.respond({ ':status': 200 })
        const more = () => {
          while (!stream.destroyed && stream.write(Buffer.alloc(65_536, 0x5b)));
          if (!stream.destroyed) stream.once('drain', more)
        }
        more()
      },
    ],
    [
      'pushes what nobody asked for',
      (stream) => stream.pushStream({ ':path': '/api/admin/staff' }, () => say(stream, 'null')),
    ],
  ])('is driven as before while another agent %s', async (_what, answer) => {
    const before = await rowsOfOthers()
    const heap = process.memoryUsage().rss
    const ends: (() => Promise<void>)[] = []
    for (const kind of ['hypervisor', 'edge'] as const) {
      const play: Answer = (stream, method) =>
        method === 'hello' ? say(stream, JSON.stringify(HELLO)) : safely(() => answer(stream, method))
      ends.push(dial(await enrol(kind, LIAR), playing(play)))
    }
    for (let round = 0; round < 2; round++) {
      const since = new Date()
      await vi.waitUntil(async () => (await edgeOf('edge1')).observed_at! > since, { timeout: 5_000 })
    }
    expect(await edgeOf('edge1')).toMatchObject({ error_kind: null })
    const after = await rowsOfOthers()
    for (const [table, rows] of Object.entries(before))
      if (!SIGNS_OF_LIFE.has(table)) expect(after[table], table).toEqual(rows)
    expect(process.memoryUsage().rss - heap).toBeLessThan(300 << 20)
    for (const end of ends) await end()
  })
})

/** The attempt may already be rejected at its own end. */
function safely(work: () => void): void {
  try {
    work()
  } catch {
    // Then it was not sent.
  }
}
