/** Decisions about several prefixes in one request, and withdrawals. Each succeeds or fails on its own. */
import type { AccountId } from '../../kernel/ids.ts'
import type { ParsedInput, Reply } from '../../kernel/endpoint.ts'
import { conflict, invalid, Problem } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inSavepoint, type Db } from '../../platform/db/index.ts'
import type { TransitApi } from '../contract.ts'
import type { TransitWriter } from '../deps.ts'
import { assess } from '../evidence/store.ts'
import { valueOf } from '../prefix-row.ts'
import { PREFIX_ACTIONS } from '../states.ts'
import { anyPrefix, decide } from './decisions.ts'
import { holdDecision, isHeldBy, undoDecision } from './held-decisions.ts'
import { changeStatus } from '../prefix-status.ts'
import { lockSpace } from './prefix-ownership.ts'
import { ownPrefix } from './requests.ts'

type Path = 'POST /api/admin/transit_prefixes/decisions'
type Body = ParsedInput<TransitApi[Path]>['body']
type Outcome = Reply<TransitApi[Path]>[number]

/**
 * Runs in the transaction of the request. Skips prefixes that already have this decision, held or in effect, so a
 * repeated request changes nothing.
 */
export async function decideSeveral(
  deps: TransitWriter,
  db: Db,
  { action, ids, reason: given, undoable = false }: Body,
  { actor, at }: { readonly actor: Actor; readonly at: Date },
): Promise<Outcome[]> {
  const reason = given ?? null
  if (action === 'reject' && reason === null) {
    throw invalid([{ field: 'reason', message: 'is required: the customers read it' }])
  }
  return eachPrefix(db, ids, anyPrefix, async (id) => {
    const row = await anyPrefix(db, id, 'lock')
    if (row.status === PREFIX_ACTIONS[action].to) return 'UNCHANGED'
    if (action === 'approve' && PREFIX_ACTIONS.approve.from.includes(row.status)) {
      const { people } = await assess(db, row, at)
      if (people > 1) throw conflict('Two people have to approve it, each on its own page.')
    }
    const decision = { action, reason, actor, at }
    if (!undoable) {
      await decide(deps, db, id, decision)
      return 'DONE'
    }
    if (!(await isHeldBy(db, id, decision))) await holdDecision(db, id, decision)
    return 'HELD'
  })
}

/** Undoes decisions that have not taken effect. */
export const undoSeveral = (db: Db, ids: readonly number[], actor: Actor): Promise<Outcome[]> =>
  eachPrefix(db, ids, anyPrefix, async (id) => {
    await undoDecision(db, id, actor)
    return 'DONE'
  })

type Withdrawal = Reply<TransitApi['POST /api/transit_prefixes/withdrawals']>[number]

export async function withdrawSeveral(
  deps: TransitWriter,
  db: Db,
  accountId: AccountId,
  ids: readonly number[],
  { actor, at }: { readonly actor: Actor; readonly at: Date },
): Promise<Withdrawal[]> {
  const own: ReadPrefix = (transaction, id, how) => ownPrefix(transaction, accountId, id, how)
  const outcomes = await eachPrefix(db, ids, own, async (id) => {
    const row = await own(db, id, 'lock')
    if (row.status === 'WITHDRAWN') return 'UNCHANGED'
    await changeStatus(deps, db, row, { action: 'withdraw', reason: null, actor, at })
    return 'DONE'
  })
  return outcomes.map((outcome) => (outcome.value === null ? { ...outcome, id: null } : outcome))
}

type ReadPrefix = typeof anyPrefix
type OutcomeOf<Done> = Omit<Outcome, 'outcome'> & { readonly outcome: Done | 'REFUSED' }

/** Runs each in its own savepoint, so one failure leaves the other decisions intact. */
async function eachPrefix<Done extends Outcome['outcome']>(
  db: Db,
  ids: readonly number[],
  read: ReadPrefix,
  act: (id: number) => Promise<Done>,
): Promise<OutcomeOf<Done>[]> {
  // Locks space before any row, in the same order as claims of space. Rows are locked by rising id, so that two requests never deadlock.
  await lockSpace(db)
  const outcomes = new Map<number, OutcomeOf<Done>>()
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    const result = await inSavepoint(db, () => act(id))
    const denial = result instanceof Problem ? result : null
    const row = denial?.status === 404 ? null : await read(db, id, 'read')
    outcomes.set(id, {
      id,
      value: row && valueOf(row),
      status: row?.status ?? null,
      outcome: result instanceof Problem ? 'REFUSED' : result,
      code: denial?.code ?? null,
      detail: denial && (denial.errors?.map(({ field, message }) => `${field} ${message}`).join('; ') ?? denial.detail),
    })
  }
  return ids.map((id) => outcomes.get(id)!)
}
