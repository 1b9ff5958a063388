/** Computes from the session history when sessions were down or disabled. */
import type { AccountId } from '../../kernel/ids.ts'
import { isOverLimit } from '../../kernel/bgp-errors.ts'
import type { Db } from '../../platform/db/index.ts'
import type { SessionOutages } from '../contract.ts'
import type { SESSION_STATES } from '../states.ts'

type State = (typeof SESSION_STATES)[number]

interface Turn {
  readonly id: number
  readonly at: Date
  readonly family: 4 | 6
  readonly from: State | null
  readonly to: State
  readonly error: string | null
}

interface Outage {
  readonly id: number
  readonly from: Date
  /** Null while it lasts. */
  readonly to: Date | null
  readonly error: string | null
  /** Disabled on purpose: not lost, and not closed by the edge for exceeding its limit. */
  readonly intended: boolean
}

/** How long an enabled session may take to come up. That time counts as part of its being disabled. */
const COMES_UP_MS = 60_000

/** Reads the whole history, because it is bounded for each session. */
export async function readOutages(db: Db, accountId: AccountId): Promise<{ sessions: SessionOutages[] }> {
  const turns = await db
    .selectFrom('transit_session_events as event')
    .innerJoin('transit_connections as connection', 'connection.id', 'event.connection_id')
    .select(['event.id', 'event.at', 'event.family', 'event.from_state as from', 'event.to_state as to', 'event.error'])
    .where('connection.account_id', '=', accountId)
    .orderBy('event.id')
    .execute()
  return {
    sessions: ([4, 6] as const).flatMap((family) => {
      const own = turns.filter((turn) => turn.family === family)
      const first = own.find(({ from, to }) => from === 'ESTABLISHED' || to === 'ESTABLISHED')
      return first ? [{ family, knownSince: first.at.toISOString(), outages: outagesIn(own).map(view) }] : []
    }),
  }
}

const view = ({ from, to, ...outage }: Outage): SessionOutages['outages'][number] => ({
  ...outage,
  from: from.toISOString(),
  to: to?.toISOString() ?? null,
})

/** Takes the transitions of one session, oldest first, and returns its outages, newest first. A session that was never up has none. */
export function outagesIn(turns: readonly Turn[]): Outage[] {
  const outages: Outage[] = []
  for (const { id, at, from, to, error } of turns) {
    const last = outages.at(-1)
    const open = last?.to === null ? last : null
    if (to !== 'ESTABLISHED' && from !== 'ESTABLISHED' && from !== 'DISABLED' && to !== 'DISABLED') {
      // The reason may arrive some time after the loss.
      if (open) outages[outages.length - 1] = { ...open, error: open.error ?? error }
      continue
    }
    if (open) outages[outages.length - 1] = { ...open, to: at }
    if (to !== 'ESTABLISHED' && (open || from === 'ESTABLISHED'))
      outages.push({ id, from: at, to: null, error, intended: to === 'DISABLED' && !isOverLimit(error) })
  }
  return outages.reduceRight(withoutComingUp, [])
}

/** Adds the outages from the end. The time to come up again becomes part of the disabled time before it. */
function withoutComingUp(later: Outage[], outage: Outage): Outage[] {
  const next = later.at(-1)
  const cameUp =
    next !== undefined &&
    !next.intended &&
    next.to !== null &&
    outage.to?.getTime() === next.from.getTime() &&
    next.to.getTime() - next.from.getTime() <= COMES_UP_MS
  return cameUp ? [...later.slice(0, -1), { ...outage, to: next.to }] : [...later, outage]
}
