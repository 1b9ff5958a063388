/**
 * An event carries the time at which its transaction began and gets its id later. The two orders differ, and a search
 * by time must find the right events anyway.
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../platform/db/testing.ts'
import { findEvents } from './find-events.ts'

const { db } = await testDatabase()
const NOON = Date.parse('2026-03-01T12:00:00Z')
const MINUTE = 60_000
const at = (minutes: number): Date => new Date(NOON + minutes * MINUTE)

/** When the event was written, and how long its transaction had been running. */
const event = fc.record({ written: fc.integer({ min: 0, max: 600 }), age: fc.integer({ min: 0, max: 59 }) })
const bound = fc.option(fc.integer({ min: -100, max: 700 }), { nil: undefined })

test('by time, whatever the order in which transactions began, every event of the span is found and no other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 40 }), bound, bound, async (events, from, to) => {
      await empty()
      const began = events.toSorted((a, b) => a.written - b.written).map(({ written, age }) => at(written - age))
      await db
        .insertInto('audit_events')
        .values(
          began.map((moment) => ({ at: moment, actor_kind: 'system', action: 'x', subject_type: 'y', data: '{}' })),
        )
        .execute()
      const input = {
        ...(from !== undefined && { from: at(from).toISOString() }),
        ...(to !== undefined && { to: at(to).toISOString() }),
      }
      const found = (await findEvents(db, input, { limit: 100 })).events.map((one) => one.at)
      const meant = began.filter((one) => (from === undefined || one >= at(from)) && (to === undefined || one < at(to)))
      expect(found.toSorted()).toEqual(meant.map((one) => one.toISOString()).toSorted())
    }),
    { numRuns: 60 },
  )
})

/** Empties the audit log, which only the owner of the database can do, explicitly. */
async function empty(): Promise<void> {
  await sql`alter table audit_events disable trigger user`.execute(db)
  await sql`delete from audit_events`.execute(db)
}
