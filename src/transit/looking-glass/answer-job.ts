/** Answers queries about the edge that this process drives. */
import { EdgeError, type EdgeDriver } from '../../drivers/edge/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { EdgeDeps } from '../deps.ts'
import { ownEdge } from '../edges/own-edge.ts'
import { pageOfReceived, written, type EdgeQuestion } from './question.ts'

/** More than the receive limit of a session lets in, even with hundreds of prefixes (`receiveLimit`). */
const MAX_RECEIVED = 5_000
const MAX_CANDIDATES = 50
/** After this the caller has stopped waiting. */
const STALE_MS = 15_000

export function answerReconciler({ db, edge, edgeName }: EdgeDeps): Reconciler {
  const own = ownEdge(db, edgeName)
  const waiting = async (id: number | null) => {
    const [edgeId] = await own.due()
    if (edgeId === undefined) return []
    return db
      .selectFrom('edge_questions')
      .select(['id', 'question', 'asked_at'])
      .where('edge_id', '=', edgeId)
      .where('answer', 'is', null)
      .$if(id !== null, (query) => query.where('id', '=', id!))
      .orderBy('id')
      .limit(100)
      .execute()
  }
  return {
    name: 'edge questions',
    everyMs: 2_000,
    // Each query may read some megabytes from the edge.
    concurrency: 2,
    wakes: (changeEvent) => (changeEvent.type === 'edge_question' ? changeEvent.id : null),
    async due() {
      const rows = await waiting(null)
      return rows.filter((row) => Date.now() - row.asked_at.getTime() < STALE_MS).map((row) => Number(row.id))
    },
    async reconcile(id) {
      const [row] = await waiting(id)
      if (!row) return
      const answer = await answerOf(edge, row.question).then(
        (value) => ({ error: null, value }),
        (error: unknown) => ({ error: wordsOf(error), value: null }),
      )
      await db
        .updateTable('edge_questions')
        .set({ answer: JSON.stringify(answer) })
        .where('id', '=', id)
        .execute()
      await publish(db, { type: 'edge_answer', id, accountId: null })
    },
  }
}

async function answerOf(edge: EdgeDriver, question: EdgeQuestion): Promise<unknown> {
  switch (question.kind) {
    case 'received':
      return pageOfReceived(await edge.receivedRoutes(question.connectionId, MAX_RECEIVED), question)
    case 'sent': {
      const { connectionId, within, limit } = question
      const { routes, complete } = await edge.sentRoutes(connectionId, { within, limit })
      return { routes: routes.map(written), complete }
    }
    case 'candidates': {
      const { routes, complete } = await edge.candidates(question.target, MAX_CANDIDATES)
      return { routes: routes.map(written), complete }
    }
  }
}

/** Any other error is a bug, and the log has it. */
function wordsOf(error: unknown): string {
  if (!(error instanceof EdgeError)) throw error
  return error.kind === 'timeout' ? 'The edge did not answer in time.' : 'The edge is not responding.'
}
