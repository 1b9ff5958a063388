import { describe, expect, it } from 'vitest'
import { writeBillingStatus } from '../accounts/index.ts'
import { conflict, Problem } from '../kernel/problem.ts'
import { SYSTEM } from '../platform/audit.ts'
import { accountIdOf, lockIsAwaited } from '../platform/db/testing.ts'
import { ORDER, createRoutersTestApp } from './testing.ts'

/** The overhead assumed for a host that has not reported yet: 224 MiB for QEMU and 8 for the CPU. */
const LARK_MIB = 192 + 224 + 8
/**
 * A /28 has 13 addresses for routers beside its gateway. The host has room for 10 of the smallest plan, with 4 MiB of
 * page tables for all of them and a GiB for itself.
 */
const small = await createRoutersTestApp({
  seed: {
    memory: 1024 + 10 * LARK_MIB + 4,
    pool: {
      prefix4: '203.0.113.0/28',
      gateway4: '203.0.113.1',
      prefix6: '2001:db8:100::/64',
      gateway6: '2001:db8:100::1',
    },
  },
})
const testApp = await createRoutersTestApp({
  /** Each user may have at most two. */
  mayOrder: async (db, accountId) => {
    if ((await db.selectFrom('routers').select('id').where('account_id', '=', accountId).execute()).length >= 2)
      throw conflict('Two are enough.')
  },
})
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2RvwBGvcGcdcX6RLYdLCrWMtPQl1nRTzL5d0zPDXOA'

describe('fifty orders at once for the last ten places', () => {
  it('fill the host exactly, each with an address of its own, and refuse the rest for want of room', async () => {
    const owner = await small.addUser()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => small.order(owner.id, { name: `race-${n}` })),
    )
    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Problem] : []))
    expect(made).toHaveLength(10)
    expect(refused.map((problem) => problem.status)).toEqual(Array.from({ length: 40 }, () => 409))
    expect(refused[0]!.detail).toMatch(/capacity|free addresses/)
    const addresses = made.map((router) => router.address4).toSorted()
    expect(new Set(addresses).size).toBe(10)
    expect(addresses).toEqual(Array.from({ length: 10 }, (_, n) => `203.0.113.${n + 2}`).toSorted())
  })

  it('run out of addresses before they run out of memory, and say so', async () => {
    await small.db.updateTable('hypervisors').set({ memory: 1_000_000 }).execute()
    const owner = await small.addUser()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => small.order(owner.id, { name: `more-${n}` })),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(3)
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(refused?.reason).toMatchObject({ status: 409, detail: expect.stringContaining('no free addresses') })
  })
})

describe('an order', () => {
  const url = '/api/virtual_machines'

  it('names every wrong field at once, and the key among the keys', async () => {
    const { call } = await small.addUser()
    const answer = await call('POST', url, {
      ...ORDER,
      site: 'atlantis',
      plan: 'free',
      sshKeys: [KEY, 'ssh-rsa nonsense!'],
    })
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual(['site', 'plan', 'sshKeys.1'])
  })

  it.each(['-edge', 'edge-', 'edge 1', 'édge', 'a'.repeat(64), '', 'a.b', 'edge\n1'])(
    'is refused the name %j',
    async (name) => {
      const { call } = await small.addUser()
      const answer = await call('POST', url, { ...ORDER, name })
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toMatchObject([{ field: 'name' }])
    },
  )

  it('an order without a payment method is 402, and so is one of a suspended account', async () => {
    const poor = await small.addUser({ payable: false })
    expect(await poor.call('POST', url, ORDER)).toMatchObject({
      status: 402,
      body: { detail: 'Add a payment card first.', code: 'payment_method_missing' },
    })
    await writeBillingStatus(small.db, SYSTEM, accountIdOf(poor.id), {
      mayBeBilled: true,
      suspended: true,
      reason: 'An invoice is open.',
    })
    expect(await poor.call('POST', url, ORDER)).toMatchObject({
      status: 402,
      body: { detail: 'An invoice is open.', code: 'account_suspended' },
    })
  })

  it('an order that fits nowhere else finds no place on a drained host', async () => {
    const roomy = await small.addUser()
    await small.db.deleteFrom('address_leases').execute()
    await small.db.deleteFrom('routers').execute()
    await small.db.updateTable('hypervisors').set({ drained: true }).execute()
    expect((await roomy.call('POST', url, ORDER)).status).toBe(409)
    await small.db.updateTable('hypervisors').set({ drained: false }).execute()
    expect((await roomy.call('POST', url, { ...ORDER, sshKeys: [`${KEY} me@laptop`, KEY] })).status).toBe(202)
    const { ssh_keys } = await small.db.selectFrom('routers').select('ssh_keys').executeTakeFirstOrThrow()
    expect(ssh_keys).toEqual([KEY])
  })

  it('may use a name that another customer has, and not its own again, in whatever case', async () => {
    const [one, other] = [await small.addUser(), await small.addUser()]
    await small.order(one.id, { name: 'core' })
    await small.order(other.id, { name: 'core' })
    const again = await one.call('POST', url, { ...ORDER, name: 'CORE' })
    expect(again).toMatchObject({ status: 422, body: { errors: [{ field: 'name' }] } })
    const both = await Promise.allSettled([
      small.order(one.id, { name: 'twin' }),
      small.order(one.id, { name: 'Twin' }),
    ])
    expect(both.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(both.find((outcome) => outcome.status === 'rejected')?.reason).toMatchObject({ status: 422 })
  })

  it('waits for another of its account, so that both are held against the same limits', async () => {
    const { call } = await testApp.addUser()
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => call('POST', url, { ...ORDER, name: `at-once-${n}` })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 202, 409, 409, 409, 409])
  })

  it('an order of an account that closes at the same time is refused', async () => {
    const { id, call } = await testApp.addUser()
    let order: ReturnType<typeof call> | undefined
    await testApp.db.transaction().execute(async (closing) => {
      await closing.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
      order = call('POST', url, ORDER)
      await lockIsAwaited(testApp.db)
      await closing.updateTable('users').set({ closed_at: new Date() }).where('id', '=', id).execute()
    })
    expect((await order!).status).toBe(401)
  })
})
