/** Whether the portal can serve, and on what it stands: for balancers, and for screens that must say what is simulated. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Drivers } from './choose-drivers.ts'
import { defineApi } from './kernel/endpoint.ts'
import { unavailable } from './kernel/problem.ts'
import type { Config } from './platform/config.ts'
import type { Database } from './platform/db/index.ts'
import { mount } from './platform/http/mount.ts'

export const healthApi = defineApi({
  'GET /api/health': {
    summary: 'Whether the portal serves, and on what it stands',
    access: 'public',
    ok: [
      200,
      z.object({
        status: z.literal('ok'),
        release: z.string(),
        database: z.enum(['embedded', 'postgres']),
        compute: z.enum(['libvirt', 'simulated']),
        edge: z.enum(['bird', 'simulated']),
      }),
    ],
  },
  'GET /api/admin/system': {
    summary: 'What stands behind each part, and why',
    access: 'admin',
    ok: [
      200,
      z.object({
        compute: z.object({ kind: z.enum(['libvirt', 'simulated']), why: z.string() }),
        edge: z.object({ kind: z.enum(['bird', 'simulated']), why: z.string() }),
        mail: z.enum(['smtp', 'folder']),
        payments: z.enum(['stripe', 'test']),
        rpki: z.object({ source: z.string(), state: z.string(), count: z.int(), error: z.string().nullable() }),
      }),
    ],
  },
})

export interface HealthDeps {
  readonly config: Pick<Config, 'RELEASE'>
  readonly database: Database
  readonly databaseKind: 'embedded' | 'postgres'
  readonly drivers: Drivers
}

export function healthRoutes(app: FastifyInstance, { config, database, databaseKind, drivers }: HealthDeps): void {
  mount(
    app,
    healthApi,
    {
      'GET /api/health': async () => {
        try {
          await sql`select 1`.execute(database.db)
        } catch (error) {
          throw unavailable('The database does not answer.', 2, error)
        }
        return {
          status: 'ok' as const,
          release: config.RELEASE,
          database: databaseKind,
          compute: drivers.hypervisor.driver.kind,
          edge: drivers.edge.driver.kind,
        }
      },
      'GET /api/admin/system': () => ({
        compute: { kind: drivers.hypervisor.driver.kind, why: drivers.hypervisor.why },
        edge: { kind: drivers.edge.driver.kind, why: drivers.edge.why },
        mail: drivers.mailer.kind,
        payments: drivers.payments.kind,
        rpki: drivers.rpki.report(),
      }),
    },
    { db: database.db, area: 'staff' },
  )
}
