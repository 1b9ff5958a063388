import type { UserId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EdgeSession } from '../../drivers/edge/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { edgeReconciler } from '../configuration/edge-job.ts'
import { createTransitTestApp } from '../testing.ts'
import { sessionAlertReconciler } from './session-alerts.ts'
import { sessionReconciler } from './session-job.ts'

let reported: Pick<EdgeSession, 'family' | 'state' | 'lastError'>[] = []
let connection = 0
const sessions = async (): Promise<EdgeSession[]> =>
  reported.map((session) => ({
    customerId: connection,
    since: new Date(),
    received: 0,
    accepted: 0,
    exported: 0,
    ...session,
  }))
const testApp = await createTransitTestApp({ ...createSimulatedEdge(), sessions })
const { db, call, deps } = testApp

const UP = { state: 'ESTABLISHED', lastError: null } as const
const DOWN = { state: 'ACTIVE', lastError: 'Received: Administrative shutdown' } as const
const observe = async (next: typeof reported) => {
  reported = next
  await testApp.settle(sessionReconciler(deps))
}
const alertsIn = (minutes: number) =>
  sessionAlertReconciler({ ...deps, clock: { now: () => new Date(Date.now() + minutes * 60_000) } })
/** Returns what the customer was sent after that many minutes. */
const after = async (minutes: number) => {
  await testApp.settle(alertsIn(minutes))
  return (await testApp.emails(userId)).map(({ subject }) => subject)
}

const RUNNING = {
  desired_state: 'running',
  observed: 'running',
  task: null,
  task_phase: null,
  reachable_at: new Date(),
  ready_at: new Date(),
} as const
const STOPPED = { desired_state: 'stopped', observed: 'off' } as const
let userId: number
let routerId: number
let asn = 500_010
beforeEach(async () => {
  ;({ userId, routerId } = await testApp.addConnected(asn++))
  await db.updateTable('routers').set(RUNNING).where('id', '=', routerId).execute()
  await testApp.settle(edgeReconciler(deps))
  const row = await db
    .selectFrom('transit_connections')
    .select('id')
    .where('account_id', '=', accountIdOf(userId))
    .executeTakeFirstOrThrow()
  connection = row.id
})

/** Audit log entries and webhook events, without those of each flap. */
const recorded = async () => {
  const lines = await db
    .selectFrom('audit_events')
    .select(['action', 'data'])
    .where('account_id', '=', accountIdOf(userId))
    .where('action', 'like', 'connection.session_%')
    .orderBy('id')
    .execute()
  const events = await db
    .selectFrom('outgoing_events')
    .select(['type', 'subject_type', 'data'])
    .where('account_id', '=', accountIdOf(userId))
    .where('type', 'in', ['session.lost', 'session.restored'])
    .orderBy('id')
    .execute()
  return { lines, events }
}

describe('the owner of a session', () => {
  test('is emailed once that it is down, after five minutes, and once that it is back', async () => {
    await observe([{ family: 4, ...UP }])
    await observe([{ family: 4, ...DOWN }])
    expect(await after(4)).toEqual([])
    const downEmail = expect.stringMatching(/^BGP session down: IPv4 of router-\d+$/)
    expect(await after(6)).toEqual([downEmail])
    expect(await after(7)).toEqual([downEmail])
    const [email] = await testApp.emails(userId)
    expect(email?.text).toContain('Your router closed the session (administrative shutdown, RFC 9003).')
    await observe([{ family: 4, ...UP }])
    expect(await after(0.5)).toEqual([downEmail])
    expect(await after(2)).toEqual([downEmail, expect.stringMatching(/^BGP session restored: IPv4 of router-\d+$/)])
    expect(await after(3)).toHaveLength(2)
  })

  test('has both in the audit log and by webhook, once each, however often it flaps meanwhile', async () => {
    await observe([{ family: 4, ...UP }])
    for (let flap = 0; flap < 3; flap += 1) {
      await observe([{ family: 4, ...DOWN }])
      await observe([{ family: 4, ...UP }])
    }
    await after(60)
    expect(await recorded()).toEqual({ lines: [], events: [] })
    await observe([{ family: 4, ...DOWN }])
    await after(6)
    await after(7)
    const lost = { family: 4, error: 'Received: Administrative shutdown', since: expect.stringMatching(/^20.*Z$/) }
    expect(await recorded()).toMatchObject({
      lines: [{ action: 'connection.session_lost', data: lost }],
      events: [{ type: 'session.lost', subject_type: 'session', data: lost }],
    })
    await observe([{ family: 4, ...UP }])
    await after(2)
    await after(3)
    const { lines, events } = await recorded()
    expect(lines.map(({ action }) => action)).toEqual(['connection.session_lost', 'connection.session_restored'])
    expect(events.map(({ type }) => type)).toEqual(['session.lost', 'session.restored'])
  })

  test('is told what to check where the edge has no reason', async () => {
    await observe([{ family: 4, ...UP }])
    await observe([{ family: 4, state: 'CONNECT', lastError: null }])
    await after(6)
    const [email] = await testApp.emails(userId)
    expect(email?.text).toContain('Our edge gets no answer from your router. Check that BGP runs on it')
  })

  test('is emailed at once where the operator waits for nothing', async () => {
    const config = { ...deps.config, SESSION_ALERT_AFTER: 0 }
    const sendAlerts = () => testApp.settle(sessionAlertReconciler({ ...deps, config }))
    await observe([{ family: 4, ...UP }])
    await observe([{ family: 4, ...DOWN }])
    await sendAlerts()
    await observe([{ family: 4, ...UP }])
    await sendAlerts()
    expect((await testApp.emails(userId)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('BGP session down'),
      expect.stringContaining('BGP session restored'),
    ])
  })

  test('gets one email for both families', async () => {
    await observe([4, 6].map((family) => ({ family: family as 4 | 6, ...UP })))
    await observe([4, 6].map((family) => ({ family: family as 4 | 6, ...DOWN })))
    expect(await after(6)).toEqual([expect.stringContaining('BGP session down: IPv4 and IPv6')])
  })

  test('gets no email about a session that never came up', async () => {
    await observe([{ family: 4, ...DOWN }])
    expect(await after(60)).toEqual([])
  })

  test('gets no email about a short flap', async () => {
    await observe([{ family: 4, ...UP }])
    await observe([{ family: 4, ...DOWN }])
    await observe([{ family: 4, ...UP }])
    expect(await after(60)).toEqual([])
  })

  test('gets no email about a router that does not run, or a connection that is disabled', async () => {
    await observe([{ family: 4, ...UP }])
    await observe([{ family: 4, ...DOWN }])
    await db.updateTable('routers').set(STOPPED).where('id', '=', routerId).execute()
    expect(await after(6)).toEqual([])
    // A sweep takes a limited number of connections. Those that get no email must not fill it.
    expect(await alertsIn(6).due()).toEqual([])
    await db.updateTable('routers').set(RUNNING).where('id', '=', routerId).execute()
    await call(userId, 'PUT', '/api/transit_connection', { enabled: false })
    expect(await after(6)).toEqual([])
  })

  test('gets no email while the edge does not respond', async () => {
    await observe([{ family: 4, ...UP }])
    await observe([{ family: 4, ...DOWN }])
    await db.updateTable('transit_edges').set({ error_kind: 'unreachable', error: 'gone' }).execute()
    expect(await after(6)).toEqual([])
    await db.updateTable('transit_edges').set({ error_kind: null, error: null }).execute()
  })

  test.each(['unconfirmed', 'refused', 'rolled-back', 'timeout', 'internal'] as const)(
    'is emailed while the last load of the edge is %s',
    async (error_kind) => {
      await observe([{ family: 4, ...UP }])
      await observe([{ family: 4, ...DOWN }])
      await db.updateTable('transit_edges').set({ error_kind, error: 'not loaded' }).execute()
      expect(await after(6)).toEqual([expect.stringContaining('BGP session down')])
      await db.updateTable('transit_edges').set({ error_kind: null, error: null }).execute()
    },
  )

  test('gets no email when they switched these emails off', async () => {
    await db
      .insertInto('muted_mails')
      .values({ user_id: userId as UserId, kind: 'sessions' })
      .execute()
    await observe([{ family: 4, ...UP }])
    await observe([{ family: 4, ...DOWN }])
    expect(await after(6)).toEqual([])
    // Only the email is muted.
    expect((await recorded()).events).toHaveLength(1)
  })
})
