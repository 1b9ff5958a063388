/** The delivery guarantee: every event is delivered at least once under one id, however often and wherever the worker dies. */
import fc from 'fast-check'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createHttpsSender } from '../drivers/webhook/https/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { SYSTEM } from '../platform/audit.ts'
import type { Database } from '../platform/db/index.ts'
import { testDatabase, accountIdOf } from '../platform/db/testing.ts'
import { enqueueWebhookEvents } from '../platform/webhook-outbox.ts'
import type { WebhooksDeps } from './deps.ts'
import { addEndpoint } from './endpoints.ts'
import { webhooksReconcilers } from './index.ts'
import { startReceiver, workOff } from './testing.ts'

const database = await testDatabase()
const receiver = await startReceiver()
afterAll(() => receiver.close())

const depsOn = (store: Database): WebhooksDeps => ({
  db: store.db,
  clock: systemClock,
  log: pino({ level: 'silent' }),
  config: { PRODUCT_NAME: 'Longhaul', SUPPORT_EMAIL: 'support@example.net', RELEASE: 'test' },
  publicUrl: () => 'https://portal.example.net',
  secretKey: 'k'.repeat(32),
  sender: createHttpsSender({ denied: [], loopback: true, deadlineMs: 2_000 }),
  // No event here is about a prefix or a connection.
  transit: undefined as never,
})

let people = 0
async function addCustomer(): Promise<number> {
  const { id } = await database.db
    .insertInto('users')
    .values({
      email: `crash-${++people}@example.net`,
      first_name: 'Ann',
      last_name: 'Example',
      password_hash: '-',
      staff_roles: [],
      email_verified_at: new Date(),
      last_sign_in_at: null,
      last_sign_in_ip: null,
      closed_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const order = { description: '', events: ['router.deleted' as const], enabled: true }
  for (const name of ['a', 'b']) {
    await addEndpoint(depsOn(database), database.db, SYSTEM, accountIdOf(id), {
      ...order,
      url: `${receiver.url}/${name}`,
    })
  }
  return id
}

/** Runs a worker until it is killed: its connections are cut wherever it is, and it gets no further events. */
async function workUntilCrash(afterMs: number): Promise<void> {
  const store = database.another({ poolSize: 4 })
  const dying = new AbortController()
  const pids = async () =>
    (
      await Promise.all([1, 2, 3, 4].map(() => store.pool.query<{ pid: number }>('select pg_backend_pid() as pid')))
    ).map(({ rows }) => rows[0]!.pid)
  const victims = await pids()
  const work = (async () => {
    for (const one of webhooksReconcilers(depsOn(store))) {
      for (const id of await one.due()) await one.reconcile(id, dying.signal)
    }
  })().catch(() => undefined)
  await sleep(afterMs)
  dying.abort()
  await database.pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [victims])
  await work
}

test('each event arrives at each endpoint at least once and always as the same message, under random crashes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 5 }),
      fc.array(fc.constantFrom(204, 204, 500, 0), { maxLength: 12 }),
      async (crashes, moods) => {
        receiver.received.length = 0
        receiver.answer = (response) => {
          const mood = moods.shift() ?? 204
          return mood === 0 ? response.destroy() : response.writeHead(mood).end()
        }
        const userId = await addCustomer()
        const events = Array.from({ length: 10 }, (_, id) => ({
          type: 'router.deleted' as const,
          accountId: accountIdOf(userId),
          subject: { type: 'gone', id },
        }))
        for (const event of events) await enqueueWebhookEvents(database.db, [event])
        for (const afterMs of crashes) await workUntilCrash(afterMs)

        moods.length = 0
        await expect
          .poll(
            async () => {
              // Another test covers the pauses after failures.
              await database.db
                .updateTable('webhook_deliveries')
                .set({ next_attempt_at: new Date(0) })
                .execute()
              await workOff(webhooksReconcilers(depsOn(database)))
              const left = await database.db
                .selectFrom('webhook_deliveries')
                .select('id')
                .where('state', '=', 'PENDING')
                .execute()
              return left.length
            },
            { timeout: 10_000 },
          )
          .toBe(0)
        const bySubject = Map.groupBy(receiver.received, ({ body }) => JSON.parse(body).data.subject.id as number)
        expect(bySubject.size).toBe(10)
        for (const copies of bySubject.values()) {
          expect(copies.length).toBeGreaterThanOrEqual(2)
          expect(new Set(copies.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
          expect(new Set(copies.map(({ body }) => body)).size).toBe(1)
        }
        expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(10)
      },
    ),
    { numRuns: 12 },
  )
}, 60_000)
