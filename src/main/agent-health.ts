/** What a process that drives a host or an edge, and does nothing else, says of itself; outside the contract, which is the portal's border. */
import type { FastifyInstance } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import { demandRightClock, requireSchema, SOON_S, type Part } from './health.ts'
import type { Clock } from '../kernel/clock.ts'
import { unavailable } from '../kernel/problem.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db/index.ts'
import { isLeaseHeld, WORKERS } from '../platform/leases/index.ts'

interface AgentHealthDeps {
  readonly config: Pick<Config, 'RELEASE' | 'hypervisorSlug' | 'edgeSlug'>
  readonly db: Db
  readonly clock: Clock
  /** Whether this process drives it now. */
  readonly isLeaseHolder: () => boolean
}

interface Subject {
  readonly slug: string | null
  /** What `/api/health` says besides. */
  readonly facts: Readonly<Record<string, unknown>>
  readonly part: Part['name']
  /** Whether it answered when it was last asked. */
  readonly answers: RawBuilder<{ answers: boolean }>
}

export function hypervisorAgentHealth(
  app: FastifyInstance,
  { compute, ...deps }: AgentHealthDeps & { readonly compute: 'libvirt' | 'simulated' },
): void {
  const slug = deps.config.hypervisorSlug
  mountHealth(app, deps, {
    slug,
    facts: { hypervisor: slug, compute },
    part: 'hypervisors',
    answers: sql`select connected as answers from hypervisors where slug = ${slug}`,
  })
}

export function edgeHealth(
  app: FastifyInstance,
  { kind, ...deps }: AgentHealthDeps & { readonly kind: 'bird' | 'simulated' },
): void {
  const slug = deps.config.edgeSlug
  mountHealth(app, deps, {
    slug,
    facts: { edge: kind, edgeName: slug },
    part: 'edge',
    answers: sql`select coalesce(error_kind, 'refused') = 'refused' as answers from transit_edges where slug = ${slug}`,
  })
}

function mountHealth(
  app: FastifyInstance,
  { config, db, clock, isLeaseHolder }: AgentHealthDeps,
  subject: Subject,
): void {
  app.get('/api/health', { config: { endpoint: 'GET /api/health', unauthenticated: true } }, async () => {
    await sql`select 1`.execute(db).catch((error: unknown) => {
      throw unavailable('The database does not answer.', 2, error)
    })
    return { status: 'ok', release: config.RELEASE, ...subject.facts }
  })
  app.get('/api/ready', { config: { endpoint: 'GET /api/ready', unauthenticated: true } }, async () => {
    await requireSchema(db)
    await demandRightClock(db, clock)
    if (!isLeaseHolder()) throw unavailable(`Not ready: this process does not drive ${subject.slug} yet.`, SOON_S)
    const { rows } = await subject.answers.execute(db)
    // Nothing else is asked of this process. One that nobody has added yet cannot answer.
    if (rows[0]?.answers === false) throw unavailable(`Not ready: ${subject.slug} does not answer.`, SOON_S)
    const parts: Part[] = [
      { name: 'database', state: 'ok' },
      { name: 'schema', state: 'ok' },
      { name: 'workers', state: (await isLeaseHeld(db, WORKERS)) ? 'elsewhere' : 'unavailable' },
      { name: subject.part, state: rows[0]?.answers ? 'ok' : 'unavailable' },
    ]
    return { status: 'ready', parts }
  })
}
