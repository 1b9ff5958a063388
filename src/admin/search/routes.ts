import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/index.ts'
import { mount } from '../../platform/http/mount.ts'
import { searchApi } from './contract.ts'
import { findEverything } from './find-everything.ts'

export const searchRoutes = (app: FastifyInstance, { db }: { readonly db: Db }): void =>
  mount(
    app,
    searchApi,
    { 'GET /api/admin/search': async ({ query }, context) => findEverything(context.db, query.q) },
    { db, area: 'staff' },
  )
