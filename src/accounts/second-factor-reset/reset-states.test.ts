/** Runs random sequences of actions against a model of decision 39: who may do what in which state. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conflict } from '../../kernel/problem.ts'
import { SYSTEM } from '../../platform/audit.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { isRightCode } from '../second-factor/second-factor.ts'
import { stopReset } from './reset.ts'
import { createResetTestApp, DAY, HOUR, type Staff } from './testing.ts'

const testApp = await createResetTestApp()
const { addProtected, addFactors, addStaff, approve, cancel, clock, codeNow, db, deps, request, runJob, stateOf } =
  testApp

const STAFF = {
  support: await addStaff('support'),
  other: await addStaff('support', 'billing'),
  owner: await addStaff('owner'),
  secondOwner: await addStaff('owner'),
  network: await addStaff('network'),
  recent: await addStaff('support'),
}
type Name = keyof typeof STAFF
const NAMES = Object.keys(STAFF) as Name[]
const isOwner = (name: Name): boolean => name === 'owner' || name === 'secondOwner'

interface Model {
  readonly ofStaff: boolean
  hasFactor: boolean
  state: 'none' | 'requested' | 'approved' | 'completed' | 'expired' | 'stopped' | 'cancelled' | 'factor_used'
  requester: Name | null
  since: number
  due: number
}

const now = (): number => clock.now().getTime()
const expired = (model: Model): boolean => model.state === 'requested' && now() >= model.since + 72 * HOUR
const shown = (model: Model): string | undefined =>
  model.state === 'none' ? undefined : expired(model) ? 'expired' : model.state
const isOpen = ({ state }: Model): boolean => state === 'requested' || state === 'approved'

let recentUntil = 0
function refusedForPerson(model: Model, name: Name): boolean {
  if (model.ofStaff && !isOwner(name)) return true
  return name === 'recent' && now() < recentUntil
}

function expectRequest(model: Model, name: Name): number {
  if (name === 'network' || refusedForPerson(model, name)) return 403
  if ((isOpen(model) && !expired(model)) || !model.hasFactor) return 409
  Object.assign(model, { state: 'requested', requester: name, since: now() })
  return 201
}

function expectApproval(model: Model, name: Name): number {
  if (name === 'network') return 403
  if (model.state === 'none') return 404
  if (model.state !== 'requested' || expired(model)) return 409
  if (refusedForPerson(model, name) || model.requester === name) return 403
  Object.assign(model, { state: 'approved', due: now() + DAY })
  return 200
}

function expectCancel(model: Model, name: Name): number {
  if (name === 'network' || (model.ofStaff && !isOwner(name))) return 403
  if (model.state === 'none') return 404
  if (!isOpen(model) || expired(model)) return 409
  model.state = 'cancelled'
  return 200
}

const someone = fc.constantFrom(...NAMES)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('request' as const), by: someone }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('approve' as const), by: someone }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), by: someone }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('use' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('job' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 23, 24, 48, 71, 72) }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
const AGREED: readonly Step[] = [
  { do: 'request', by: 'owner' },
  { do: 'approve', by: 'secondOwner' },
]
const EXPIRED: readonly Step[] = [
  { do: 'request', by: 'owner' },
  { do: 'wait', hours: 72 },
]
const DONE: readonly Step[] = [...AGREED, { do: 'wait', hours: 24 }, { do: 'job' }]
/** Random steps alone seldom reach an approval by two people and a day of waiting. */
const beginning = fc.constantFrom<readonly Step[]>([], AGREED, DONE)
/** Run first, so that every run covers them. */
const EXAMPLES: [boolean, readonly Step[], Step[]][] = [false, true].flatMap((ofStaff) => [
  [ofStaff, EXPIRED, [{ do: 'request', by: 'owner' }]],
  [ofStaff, EXPIRED, [{ do: 'approve', by: 'secondOwner' }]],
  [ofStaff, DONE, [{ do: 'request', by: 'owner' }]],
  [ofStaff, AGREED, [{ do: 'job' }, { do: 'use' }]],
])

const statusOf = (work: Promise<unknown>): Promise<number> =>
  work.then(
    () => 204,
    (error: unknown) => {
      if (error instanceof conflict('').constructor) return (error as { status: number }).status
      throw error
    },
  )

test('each call in each state is answered as decided, for customers and for staff', { timeout: 120_000 }, async () => {
  const reached = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      beginning,
      fc.array(step, { minLength: 4, maxLength: 12 }),
      async (ofStaff, begun, more) => {
        const { id, email } = await addProtected()
        if (ofStaff)
          await db
            .updateTable('users')
            .set({ staff_roles: ['network'] })
            .where('id', '=', id)
            .execute()
        const changed = clock.now()
        await testApp.writeEvent(STAFF.recent.id, 'account.roles_changed', changed)
        recentUntil = changed.getTime() + 7 * DAY
        const model: Model = { ofStaff, hasFactor: true, state: 'none', requester: null, since: 0, due: 0 }
        const principal = { userId: id, email, via: 'session', sessionId: null } as unknown as Principal
        const actor = { ...SYSTEM, kind: 'user', userId: id } as const
        const by = (name: Name): Staff => STAFF[name]
        for (const one of [...begun, ...more]) {
          reached.add(`${shown(model) ?? 'none'} ${one.do}`)
          switch (one.do) {
            case 'request':
              expect((await request(by(one.by), id)).status).toBe(expectRequest(model, one.by))
              break
            case 'approve':
              expect((await approve(by(one.by), id)).status).toBe(expectApproval(model, one.by))
              break
            case 'cancel':
              expect((await cancel(by(one.by), id)).status).toBe(expectCancel(model, one.by))
              break
            case 'stop': {
              const expected = isOpen(model) ? 204 : 409
              const status = await statusOf(
                db.transaction().execute((transaction) => stopReset(deps, transaction, { actor, principal })),
              )
              expect(status).toBe(expected)
              if (expected === 204) model.state = 'stopped'
              break
            }
            case 'use':
              clock.advance(30_000)
              // Without the app every code is wrong, and a few wrong codes reach the limit.
              await db.deleteFrom('throttles').execute()
              expect(await isRightCode(deps, actor, id, codeNow())).toBe(model.hasFactor)
              if (model.hasFactor && isOpen(model)) model.state = 'factor_used'
              break
            case 'job':
              await runJob()
              if (expired(model)) model.state = 'expired'
              if (model.state === 'approved' && now() >= model.due) {
                Object.assign(model, { state: 'completed', hasFactor: false })
              }
              break
            case 'wait':
              clock.advance(one.hours * HOUR)
          }
          expect(await stateOf(by('network'), id)).toBe(shown(model))
          const left = await db.selectFrom('totp_factors').select('user_id').where('user_id', '=', id).execute()
          expect(left.length > 0).toBe(model.hasFactor)
          if (!model.hasFactor && one.do === 'wait') {
            await addFactors(id)
            model.hasFactor = true
          }
        }
        await runJob()
      },
    ),
    { numRuns: 80, examples: EXAMPLES },
  )
  // Otherwise the steps above never reached these states.
  for (const seen of ['approved job', 'completed request', 'expired request', 'expired approve', 'approved use'])
    expect(reached).toContain(seen)
})
