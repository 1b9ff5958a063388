/** The staff GraphQL schema with its execution engine. */
import { coalesceReads, type Db } from '../../platform/db/index.ts'
import { createEngine } from '../../platform/graphql/engine.ts'
import type { GraphqlEngine } from '../../platform/graphql/transport.ts'
import type { Log } from '../../platform/log.ts'
import { createLoaders, type LoaderSources, type StaffContext } from './schema-builder.ts'
import { staffSchema } from './schema.ts'

export function openStaffEngine(deps: LoaderSources & { readonly db: Db; readonly log: Log }): GraphqlEngine {
  const { money, log } = deps
  // All staff read the same rows, so reads can be shared.
  const db = coalesceReads(deps.db)
  return createEngine<StaffContext>({
    schema: staffSchema,
    log,
    contextFor: (principal) => ({ principal, db, money, load: createLoaders(db, principal, deps) }),
  })
}
