/** Power actions for several routers in one call. Each is accepted or rejected on its own. */
import type { ParsedInput, Reply } from '../kernel/endpoint.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import type { Actor } from '../platform/audit.ts'
import { inSavepoint, type Db } from '../platform/db/index.ts'
import type { RoutersApi } from './contract.ts'
import type { RouterRow } from './queries.ts'
import { requestPower } from './router-commands.ts'
import { isReached } from './states.ts'
import { stateOf } from './view.ts'

type Path = 'POST /api/virtual_machines/actions'
type Outcome = Reply<RoutersApi[Path]>[number]

interface Request extends Pick<ParsedInput<RoutersApi[Path]>['body'], 'action' | 'ids'> {
  /** Given by staff. */
  readonly reason?: string
}

/**
 * Runs in the caller's transaction. `lock` reads and locks those of the ids that the caller may act on. A router that
 * is already where the action leads stays as it is, so a repeated call changes nothing.
 */
export async function actOnSeveral(
  db: Db,
  lock: (ids: readonly number[]) => Promise<readonly RouterRow[]>,
  { action, ids, reason }: Request,
  { actor, now }: { readonly actor: Actor; readonly now: Date },
): Promise<Outcome[]> {
  const distinct = [...new Set(ids)]
  const rows = byId(await lock(distinct))
  const results = new Map<number, 'DONE' | 'UNCHANGED' | Problem>()
  for (const id of distinct) {
    const row = rows.get(id)
    const result = !row
      ? notFound()
      : isReached(action, stateOf(row))
        ? 'UNCHANGED'
        : await inSavepoint(db, () => requestPower(db, actor, row, action, now, reason))
    results.set(id, result ?? 'DONE')
  }
  const after = byId(await lock(distinct))
  return ids.map((id) => {
    const result = results.get(id)!
    const row = after.get(id)
    const denial = result instanceof Problem ? result : null
    return {
      id: row?.id ?? null,
      name: row?.name ?? null,
      state: row ? stateOf(row) : null,
      outcome: result instanceof Problem ? 'REFUSED' : result,
      code: denial?.code ?? null,
      detail: denial?.detail ?? null,
    }
  })
}

const byId = (rows: readonly RouterRow[]): ReadonlyMap<number, RouterRow> => new Map(rows.map((row) => [row.id, row]))
