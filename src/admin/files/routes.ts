import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import { mount } from '../../platform/http/mount.ts'
import { filesApi } from './contract.ts'
import { prefixesCsv } from './prefixes.ts'
import { readUserFilter, usersCsv } from './users.ts'

export const filesRoutes = (app: FastifyInstance, { db, clock }: { readonly db: Db; readonly clock: Clock }): void =>
  mount(
    app,
    filesApi,
    {
      'GET /api/admin/users.csv': ({ query }) => ({
        name: 'users.csv',
        body: usersCsv(db, readUserFilter(query, clock.now())),
      }),
      'GET /api/admin/transit_prefixes.csv': ({ query }) => ({ name: 'prefixes.csv', body: prefixesCsv(db, query) }),
    },
    { db, area: 'staff' },
  )
