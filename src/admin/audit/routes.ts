import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { forbidden, unauthorized } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { mount } from '../../platform/http/mount.ts'
import { parseQuery } from '../../platform/http/parse.ts'
import { requireScope } from '../../platform/http/principal.ts'
import { auditApi, auditFilter } from './contract.ts'
import { FORMATS } from './export.ts'
import { findEvents } from './find-events.ts'

export function auditRoutes(app: FastifyInstance, { db }: { readonly db: Db }): void {
  mount(
    app,
    auditApi,
    {
      'GET /api/admin/audit_events': ({ query: { before, limit, ...filter } }, context) =>
        findEvents(context.db, filter, { before, limit }),
    },
    { db, area: 'staff' },
  )
  for (const extension of ['csv', 'json'] as const) {
    const path = `/api/admin/audit_events.${extension}`
    app.get(path, { config: { endpoint: `GET ${path}` } }, (request, reply) => {
      demandStaff(request)
      const filter = parseQuery(auditFilter, request.query)
      const { type, write } = FORMATS[extension]
      return reply
        .type(type)
        .header('content-disposition', `attachment; filename="audit.${extension}"`)
        .send(Readable.from(write(db, filter)))
    })
  }
}

function demandStaff({ principal }: FastifyRequest): void {
  if (!principal) throw unauthorized()
  if (!principal.isAdmin) throw forbidden('This call is for staff.')
  requireScope(principal, 'staff:read')
}
