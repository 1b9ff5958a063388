/**
 * Makes the edge run what the rows say. The whole state is applied each time, so a lost message or a killed process
 * costs a moment and nothing else; what the edge confirmed is written back on each prefix that it carries.
 */
import { EdgeError } from '../../drivers/edge/index.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { readConnectionFacts } from './connection-facts.ts'
import type { TransitDeps } from '../deps.ts'
import { desiredEdge, type DesiredEdge } from './desired.ts'
import { edgeStatus } from './edge-status.ts'
import { tellOfPrefix } from '../events.ts'
import { THE_EDGE } from '../tables.ts'

/** Each load makes the edge read all its customers again: the first change goes at once, a burst goes together. */
const AT_MOST_EVERY_MS = 1_000
/** Without news too: an edge that was rebuilt or edited by hand is put right. */
const ROUTINE_MS = 30_000
const WAKING = new Set(['prefix', 'connection', 'router', 'user', 'edge'])

export function edgeReconciler(deps: TransitDeps): Reconciler {
  const { edge } = deps
  let last = { at: Number.NEGATIVE_INFINITY, generation: '' }
  return {
    name: 'edge',
    everyMs: ROUTINE_MS,
    concurrency: 1,
    wakes: (news) => (WAKING.has(news.type) ? THE_EDGE : null),
    due: () => Promise.resolve([THE_EDGE]),
    async reconcile() {
      const desired = await readDesired(deps)
      const generation = generationOf(deps, desired)
      const sinceLast = performance.now() - last.at
      // Most news changes nothing here; whether the edge still has it is looked at in the routine.
      const known = generation === last.generation && sinceLast < ROUTINE_MS / 2
      if (!known && sinceLast < AT_MOST_EVERY_MS) return { againInMs: AT_MOST_EVERY_MS - sinceLast }
      if (!known) {
        last = { at: performance.now(), generation: '' }
        try {
          await edge.apply(desired.state)
        } catch (error) {
          if (!(error instanceof EdgeError)) throw error
          await recordFailure(deps, generation, error)
          // Tried again when the state changes, and in the routine: a repeat now would be refused again.
          if (error.kind === 'refused') return
          throw error
        }
        last = { at: last.at, generation }
      }
      await recordApplied(deps, generation, desired.carried)
    },
  }
}

/** All rows as of one moment. */
const readDesired = ({ db, operator, secretKey }: TransitDeps): Promise<DesiredEdge> =>
  inTransaction(
    db,
    async (transaction) => {
      const connections = await readConnectionFacts(transaction, { secretKey })
      const { maintenance_since } = await edgeStatus(transaction)
      if (maintenance_since === null) return desiredEdge(operator, connections)
      return desiredEdge(
        operator,
        connections.map((connection) => ({ ...connection, drained: true })),
      )
    },
    { isolation: 'repeatable read' },
  )

/** A state that cannot even be expressed has no digest. */
function generationOf({ edge }: TransitDeps, desired: DesiredEdge): string {
  try {
    return edge.generationOf(desired.state)
  } catch (error) {
    if (error instanceof EdgeError) return 'cannot be expressed'
    throw error
  }
}

/** Written from what was applied and not from the status: a prefix suspended meanwhile is held until the next load drops it. */
async function recordApplied(
  { db, clock }: TransitDeps,
  generation: string,
  carried: readonly number[],
): Promise<void> {
  const at = clock.now()
  await inTransaction(db, async (transaction) => {
    const gained = await transaction
      .updateTable('transit_prefixes')
      .set({ imported_at: at, imported_generation: generation })
      .where('imported_at', 'is', null)
      .where((eb) => eb('id', '=', eb.fn.any(eb.val([...carried]))))
      .returning(['id', 'user_id'])
      .execute()
    const lost = await transaction
      .updateTable('transit_prefixes')
      .set({ imported_at: null, imported_generation: null, received_at: null, accepted_at: null, exported_at: null })
      .set({ refusal: null })
      .where('imported_at', 'is not', null)
      .where((eb) => eb.not(eb('id', '=', eb.fn.any(eb.val([...carried])))))
      .returning(['id', 'user_id'])
      .execute()
    await recordEdge(transaction, {
      wanted_generation: generation,
      running_generation: generation,
      applied_at: at,
      attempted_at: at,
      error_kind: null,
      error: null,
    })
    for (const prefix of [...gained, ...lost]) await tellOfPrefix(transaction, prefix)
  })
}

async function recordFailure({ db, clock }: TransitDeps, generation: string, error: EdgeError): Promise<void> {
  const { kind, message } = error
  const failure = { wanted_generation: generation, attempted_at: clock.now(), error_kind: kind, error: message }
  await inTransaction(db, (transaction) => recordEdge(transaction, failure))
}

type EdgeRecord = Partial<{
  wanted_generation: string
  running_generation: string
  applied_at: Date
  attempted_at: Date
  error_kind: EdgeError['kind'] | null
  error: string | null
}>

/** News only when a reader would see another picture: times alone are none. */
async function recordEdge(db: Db, record: EdgeRecord): Promise<void> {
  const before = await db
    .selectFrom('transit_edges')
    .selectAll()
    .where('id', '=', THE_EDGE)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await db.updateTable('transit_edges').set(record).where('id', '=', THE_EDGE).execute()
  const differs = (['wanted_generation', 'running_generation', 'error'] as const).some(
    (field) => record[field] !== undefined && record[field] !== before[field],
  )
  if (differs) await publish(db, { type: 'edge', id: THE_EDGE, userId: null })
}
