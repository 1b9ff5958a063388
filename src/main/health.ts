/**
 * Reports whether the portal can serve, and which drivers it uses: for load balancers, and for screens that must name
 * simulated parts.
 */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Drivers } from './choose-drivers.ts'
import type { Clock } from '../kernel/clock.ts'
import { defineApi } from '../kernel/endpoint.ts'
import { unavailable } from '../kernel/problem.ts'
import type { Config } from '../platform/config.ts'
import { missingMigrations, type Database, type Db } from '../platform/db/index.ts'
import { isDriven } from '../platform/leases/agent-lease.ts'
import { mount } from '../platform/http/mount.ts'
import { explainSkew, isLeaseHeld, isSkewed, measureSkew, WORKERS } from '../platform/leases/index.ts'

/** `unavailable`: work that needs the part waits until it is back; requests are accepted anyway. */
const part = z.object({
  name: z.enum(['database', 'schema', 'workers', 'hypervisors', 'edge']),
  state: z.enum(['ok', 'unavailable', 'elsewhere']),
})

export type Part = z.output<typeof part>

export const healthApi = defineApi({
  'GET /api/health': {
    summary: 'Whether the portal and its database work, and which drivers it uses',
    access: 'public',
    ok: [
      200,
      z.object({
        status: z.literal('ok'),
        release: z.string(),
        database: z.enum(['embedded', 'postgres']),
        compute: z.enum(['libvirt', 'simulated']),
        edge: z.enum(['bird', 'openbgpd', 'simulated']),
      }),
    ],
  },
  'GET /api/ready': {
    summary: 'Whether this process can take work, part by part',
    access: 'public',
    ok: [200, z.object({ status: z.literal('ready'), parts: z.array(part) })],
  },
  'GET /api/admin/system': {
    summary: 'The driver of each component, and why it was chosen',
    access: 'admin',
    ok: [
      200,
      z.object({
        compute: z.object({ kind: z.enum(['libvirt', 'simulated']), why: z.string() }),
        edge: z.object({ kind: z.enum(['bird', 'openbgpd', 'simulated']), why: z.string() }),
        dns: z.object({ kind: z.enum(['stub', 'simulated']), why: z.string() }),
        mail: z.enum(['smtp', 'folder']),
        payments: z.enum(['stripe', 'test']),
        rpki: z.object({ source: z.string(), state: z.string(), count: z.int(), error: z.string().nullable() }),
      }),
    ],
  },
})

export interface HealthDeps {
  readonly config: Pick<Config, 'RELEASE' | 'ROLE'>
  readonly database: Database
  readonly clock: Clock
  readonly databaseKind: 'embedded' | 'postgres'
  readonly drivers: Drivers
}

export function healthRoutes(
  app: FastifyInstance,
  { config, database, clock, databaseKind, drivers }: HealthDeps,
): void {
  mount(
    app,
    healthApi,
    {
      'GET /api/health': async () => {
        const compute = await readCompute(database.db, drivers)
        return {
          status: 'ok' as const,
          release: config.RELEASE,
          database: databaseKind,
          compute,
          edge: await readEdge(database.db, drivers),
        }
      },
      'GET /api/ready': async () => ({ status: 'ready' as const, parts: await readParts(config, database.db, clock) }),
      'GET /api/admin/system': async (_, { db }) => ({
        compute: {
          kind: await readCompute(db, drivers),
          why: drivers.hypervisor?.why ?? 'other processes manage the hypervisors',
        },
        edge: {
          kind: await readEdge(db, drivers),
          why: drivers.edge?.why ?? 'other processes manage the edges',
        },
        dns: { kind: drivers.dns.kind, why: `asks ${drivers.dns.server}` },
        mail: drivers.mailer.kind,
        payments: drivers.payments.kind,
        rpki: drivers.rpki.report(),
      }),
    },
    { db: database.db, area: 'staff' },
  )
}

/** A process that drives no hypervisor reports what the others found, because a simulated one has to be named. */
async function readCompute(db: Db, drivers: Pick<Drivers, 'hypervisor'>): Promise<'libvirt' | 'simulated'> {
  try {
    const { rows } = await sql<{ played: boolean }>`
      select exists (select from hypervisors where driver = 'simulated') as played`.execute(db)
    return drivers.hypervisor?.driver.kind ?? (rows[0]?.played ? 'simulated' : 'libvirt')
  } catch (error) {
    throw unavailable('The database does not answer.', 2, error)
  }
}

/** Likewise for edges. An edge that was never driven does not count as simulated. */
async function readEdge(db: Db, drivers: Pick<Drivers, 'edge'>): Promise<'bird' | 'openbgpd' | 'simulated'> {
  const { rows } = await sql<{ played: boolean }>`
    select exists (select from transit_edge_agents join transit_edges using (slug) where kind = 'simulated') as played
    `.execute(db)
  return drivers.edge?.driver.kind ?? (rows[0]?.played ? 'simulated' : 'bird')
}

export const SOON_S = 5

/**
 * Throws 503 with the name of the part that keeps this process from working. An unreachable host or edge is not such a
 * part: desired changes are stored and applied later. A balancer that took the portal offline as well would turn a
 * small outage into a large one.
 */
async function readParts({ ROLE }: Pick<Config, 'ROLE'>, db: Db, clock: Clock): Promise<Part[]> {
  await requireSchema(db)
  await demandRightClock(db, clock)
  const led = await isLeaseHeld(db, WORKERS)
  if (!led && ROLE !== 'web') throw unavailable('Not ready: no worker leads yet.', SOON_S)
  const { rows } = await sql<{ hypervisors: boolean; edge: boolean }>`
    select not exists (select from hypervisors where not (connected and ${isDriven('hypervisor_agents', 'hypervisors.slug')})) as hypervisors,
      not exists (select from transit_edges where error_kind not in ('refused', 'unconfirmed')
        or not ${isDriven('transit_edge_agents', 'transit_edges.slug')}) as edge`.execute(db)
  const { hypervisors = false, edge = false } = rows[0] ?? {}
  const state = (good: boolean) => (good ? ('ok' as const) : ('unavailable' as const))
  return [
    { name: 'database', state: 'ok' },
    { name: 'schema', state: 'ok' },
    // A web process needs no workers of its own, but an installation without any has to be visible.
    { name: 'workers', state: led ? (ROLE === 'web' ? 'elsewhere' : 'ok') : 'unavailable' },
    { name: 'hypervisors', state: state(hypervisors) },
    { name: 'edge', state: state(edge) },
  ]
}

export async function demandRightClock(db: Db, clock: Clock): Promise<void> {
  const skew = await measureSkew(db, clock)
  if (isSkewed(skew)) throw unavailable(`Not ready: ${explainSkew(skew)}.`, SOON_S)
}

export async function requireSchema(db: Db): Promise<void> {
  const missing = await missingMigrations(db).catch((error: unknown) => {
    throw unavailable('Not ready: the database does not answer.', SOON_S, error)
  })
  if (missing.length > 0) throw unavailable(`Not ready: the schema lacks ${missing.length} migrations.`, SOON_S)
}
