/** Ends what runs for a limited time: drains, pauses of sessions over their limit, and blackholes. Run by the lead worker. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { notify } from '../../accounts/index.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { TransitWriter } from '../deps.ts'
import { recordSessionAlert } from '../events.ts'
import { LIMIT_RETRY_AFTER_MS } from '../states.ts'
import { endBlackholes } from './blackholes.ts'
import { endTrip, readTrips, type Trip } from './limits.ts'
import { stepPassword } from './password-change.ts'
import { endDrain } from './shutdown.ts'

export function controlTimers(deps: TransitWriter & { readonly db: Db }): Reconciler {
  const { db, clock } = deps
  return {
    name: 'session-timers',
    everyMs: 2_000,
    concurrency: 1,
    wakes: () => null,
    async due() {
      const now = clock.now()
      const { rows } = await sql<{ id: number }>`
        select id from transit_connections where drain_until <= ${now}
        union select id from transit_connections where next_encrypted_password is not null
          and (password_change_at <= ${now} or password_pending_until is not null)
        union select connection_id from transit_limit_trips
         where tripped_at <= ${new Date(now.getTime() - LIMIT_RETRY_AFTER_MS)} or emailed_at is null
        union select connection.id from transit_blackholes blackhole
          join transit_connections connection using (account_id)
         where blackhole.ended_at is null and blackhole.expires_at <= ${now}
        limit 200`.execute(db)
      return rows.map(({ id }) => id)
    },
    reconcile: (id) => inTransaction(db, (transaction) => endWhatIsOver(deps, transaction, id)),
  }
}

async function endWhatIsOver(deps: TransitWriter, db: Db, id: number): Promise<void> {
  const now = deps.clock.now()
  const connection = await db
    .selectFrom('transit_connections')
    .select(['id', 'account_id', 'drain_until'])
    .select(['next_encrypted_password', 'password_change_at', 'password_pending_until'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!connection) return
  if (connection.drain_until !== null && connection.drain_until <= now)
    await endDrain(deps, db, SYSTEM, connection.account_id)
  await stepPassword(deps, db, connection)
  await emailTrips(deps, db, connection)
  for (const { family, retryAt } of await readTrips(db, id))
    if (retryAt <= now) await endTrip(db, SYSTEM, connection, family)
  await endBlackholes(db, connection, now)
}

/** Reports a trip at once, but only once for each outage: a session that trips at every retry is not back in between. */
async function emailTrips(
  deps: TransitWriter,
  db: Db,
  connection: { readonly id: number; readonly account_id: AccountId },
): Promise<void> {
  const now = deps.clock.now()
  const { rows } = await sql<{ family: 4 | 6; since: Date | null; error: string | null }>`
    with fresh as (update transit_limit_trips set emailed_at = ${now}
      where connection_id = ${connection.id} and emailed_at is null returning family)
    update transit_sessions session set alerted_at = ${now} from fresh
     where connection_id = ${connection.id} and session.family = fresh.family and alerted_at is null
    returning session.family, down_since as since, last_error as error`.execute(db)
  const trips = await readTrips(db, connection.id)
  for (const session of rows) {
    await notify(
      db,
      deps,
      connection.account_id,
      'sessions',
      tripEmail(trips.find(({ family }) => family === session.family)!),
    )
    await recordSessionAlert(db, connection, 'lost', session)
  }
}

const tripEmail = ({ family, limit, retryAt }: Trip) => ({
  subject: `BGP session closed: IPv${family} is over its route limit`,
  paragraphs: [
    `Your router sent more than ${limit} routes on the IPv${family} session, so our edge closed it. None of its prefixes are announced now.`,
    `Announce only your own prefixes, then clear the limit in the portal. The edge tries again at ${retryAt.toISOString().slice(11, 16)} UTC in any case, and every 15 minutes after that.`,
    'You get one more email when the session is back.',
  ],
  action: { label: 'View the session', path: `/transit/sessions/${family}` },
})
