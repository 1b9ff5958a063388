/** How often each session left Established within 24 hours, stored with it because the staff list sorts by it. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'

const counted = (at: Date) => sql`
  update transit_sessions session set (flaps, flaps_until) = (
    select count(*), min(event.at) + interval '24 hours' from transit_session_events event
      where event.connection_id = session.connection_id and event.family = session.family
        and event.from_state = 'ESTABLISHED' and event.at > ${at}::timestamptz - interval '24 hours')`

export const countFlaps = (
  db: Db,
  at: Date,
  session: { readonly connection_id: number; readonly family: 4 | 6 },
): Promise<unknown> =>
  sql`${counted(at)} where session.connection_id = ${session.connection_id} and session.family = ${session.family}`.execute(
    db,
  )

/** Removes flaps older than 24 hours from the counts. */
export const forgetFlaps = (db: Db, edgeId: number, at: Date): Promise<unknown> =>
  sql`${counted(at)} from transit_connections connection
    where session.flaps_until <= ${at} and connection.id = session.connection_id and connection.edge_id = ${edgeId}`.execute(
    db,
  )
