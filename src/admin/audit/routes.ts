import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/index.ts'
import { mount } from '../../platform/http/mount.ts'
import { auditApi } from './contract.ts'
import { writeCsv, writeJson } from './export.ts'
import { findEvents } from './find-events.ts'

export function auditRoutes(app: FastifyInstance, { db }: { readonly db: Db }): void {
  mount(
    app,
    auditApi,
    {
      'GET /api/admin/audit_events': ({ query: { before, limit, ...filter } }, context) =>
        findEvents(context.db, filter, { before, limit }),
      'GET /api/admin/audit_events.csv': ({ query }) => ({ name: 'audit.csv', body: writeCsv(db, query) }),
      'GET /api/admin/audit_events.json': ({ query }) => ({ name: 'audit.json', body: writeJson(db, query) }),
    },
    { db, area: 'staff' },
  )
}
