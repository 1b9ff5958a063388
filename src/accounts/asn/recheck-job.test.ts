import type { AccountId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { formatAsn } from '../../kernel/asn.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction } from '../../platform/db/index.ts'
import { claimAsn } from './asn-ownership.ts'
import { asnRecheckReconciler } from './recheck-job.ts'
import { vouchForAsn } from './verification.ts'
import { tokenProofReconciler } from './remark-proof.ts'
import { createAccountsTestApp, type Browser } from '../testing.ts'

const { addUser, clock, db, deps, emailsTo, registry, signedIn } = await createAccountsTestApp()
const DAY = 86_400_000
const lapses: AccountId[] = []
const watched = {
  ...deps,
  onAsnLapsed: async (_: unknown, __: unknown, accountId: AccountId) => void lapses.push(accountId),
}

let lastAsn = 500_800
function publish(asn: number, organisation: string, remarks: string[] = []): void {
  const registrants = [`ORG-${organisation.toUpperCase()}`]
  registry.records.set(asn, { asn, handle: formatAsn(asn), holder: organisation, registrants, contacts: [], remarks })
}
/** A verification by staff that was checked once: the registry named Plover. */
async function verified() {
  const newUser = await addUser()
  const asn = ++lastAsn
  publish(asn, 'Plover')
  await inTransaction(db, (transaction) => claimAsn(transaction, SYSTEM, accountIdOf(newUser.id), asn))
  await vouchForAsn(deps, db, SYSTEM, accountIdOf(newUser.id))
  await worker()
  return { ...newUser, asn }
}
async function worker(on = watched): Promise<void> {
  for (const reconciler of [tokenProofReconciler(on), asnRecheckReconciler(on)]) {
    for (const id of await reconciler.due()) await reconciler.reconcile(id, AbortSignal.timeout(5_000))
  }
}
afterEach(() => {
  registry.unreachable = false
})
/** Lets this many days pass, with a check every `step` days. */
async function pass(days: number, step = 1): Promise<void> {
  for (let day = 0; day < days; day += step) {
    clock.advance(step * DAY)
    await worker()
  }
}
const read = async (browser: Browser) => (await browser.call('GET', '/api/user/asn_proofs')).body
const subjects = async (email: string) => (await emailsTo(email)).map((sentEmail) => sentEmail.subject)
const auditEventsOf = async (id: number) =>
  (await db.selectFrom('audit_events').selectAll().where('account_id', '=', accountIdOf(id)).orderBy('id').execute())
    .map((row) => row.action)
    .filter((action) => action.startsWith('asn.'))

describe('a number that the registry gave to another holder', () => {
  test('is doubted with a date, its owner and staff are told, and it lapses on that date', async () => {
    const { id, email, asn } = await verified()
    publish(asn, 'Heron')
    await pass(7)
    const lapsesAt = new Date(clock.now().getTime() + 14 * DAY)
    const day = lapsesAt.toISOString().slice(0, 10)
    const at_risk = await read(await signedIn(email))
    expect(at_risk).toMatchObject({
      asnVerifiedAt: expect.any(String),
      risk: { cause: 'holder_changed', since: clock.now().toISOString(), lapsesAt: lapsesAt.toISOString() },
    })
    expect(at_risk.proofs.find((proof: { method: string }) => proof.method === 'staff')).toMatchObject({
      state: 'lapsed',
      contradictedAt: clock.now().toISOString(),
    })
    expect(await subjects(email)).toContain(`Action needed: verify ${formatAsn(asn)} by ${day}`)
    expect(await subjects('support@example.net')).toContain(
      `Staff: Action needed: verify ${formatAsn(asn)} of ${email} by ${day}`,
    )
    await pass(13)
    expect(lapses).not.toContain(accountIdOf(id))
    expect(await subjects(email)).toContain(`Final reminder: verify ${formatAsn(asn)} by ${day}`)
    await pass(2)
    expect(lapses.filter((lapsed) => lapsed === accountIdOf(id))).toHaveLength(1)
    const lapsed = await read(await signedIn(email))
    expect(lapsed).toMatchObject({
      asnVerifiedAt: null,
      lapsedAt: expect.any(String),
      risk: { cause: 'holder_changed' },
    })
    expect((await subjects(email)).slice(-4)).toEqual([
      `${formatAsn(asn)} is verified`,
      `Action needed: verify ${formatAsn(asn)} by ${day}`,
      `Final reminder: verify ${formatAsn(asn)} by ${day}`,
      `${formatAsn(asn)} is no longer verified`,
    ])
    expect(await auditEventsOf(id)).toEqual(['asn.claimed', 'asn.verified', 'asn.at_risk', 'asn.at_risk', 'asn.lapsed'])
  })

  test('stays verified when the registry names its owner again in time', async () => {
    const { id, email, asn } = await verified()
    publish(asn, 'Heron')
    await pass(8)
    publish(asn, 'Plover')
    await pass(1)
    expect(await read(await signedIn(email))).toMatchObject({ asnVerifiedAt: expect.any(String), risk: null })
    expect(await subjects(email)).toContain(`${formatAsn(asn)} stays verified`)
    await pass(30)
    expect(lapses).not.toContain(accountIdOf(id))
  })

  test('is not taken back because the holder changed its name and kept its handle', async () => {
    const { email, asn } = await verified()
    registry.records.set(asn, { ...registry.records.get(asn)!, holder: 'Plover and Sons' })
    await pass(30)
    expect(await read(await signedIn(email))).toMatchObject({ risk: null })
  })

  test('can be proved again, by a remark that the former holder cannot have left behind', async () => {
    const newUser = await addUser()
    const asn = ++lastAsn
    publish(asn, 'Plover')
    await inTransaction(db, (transaction) => claimAsn(transaction, SYSTEM, accountIdOf(newUser.id), asn))
    const begin = async () => {
      const { body } = await (await signedIn(newUser.email)).call('POST', '/api/user/asn_proofs/autnum_token', {})
      return body.proofs[0].remark as string
    }
    const first = await begin()
    publish(asn, 'Plover', [first])
    await pass(1)
    expect((await read(await signedIn(newUser.email))).asnVerifiedAt).not.toBeNull()
    publish(asn, 'Heron', [first])
    await pass(8)
    expect((await read(await signedIn(newUser.email))).risk).toMatchObject({ cause: 'holder_changed' })
    const second = await begin()
    expect(second).not.toBe(first)
    await pass(1)
    expect((await read(await signedIn(newUser.email))).risk).not.toBeNull()
    publish(asn, 'Heron', [first, second])
    await pass(1)
    expect(await read(await signedIn(newUser.email))).toMatchObject({ asnVerifiedAt: expect.any(String), risk: null })
    await pass(30)
    expect(lapses).not.toContain(accountIdOf(newUser.id))
  })
})

describe('a proof that ran past its day', () => {
  test('takes the verification back a month later, and a new proof gives it again', async () => {
    const { id, email, asn } = await verified()
    await pass(180, 10)
    expect((await read(await signedIn(email))).risk).toMatchObject({ cause: 'expired' })
    await pass(31)
    expect(lapses).toContain(accountIdOf(id))
    await vouchForAsn(deps, db, SYSTEM, accountIdOf(id))
    expect(await read(await signedIn(email))).toMatchObject({
      asnVerifiedAt: expect.any(String),
      risk: null,
      lapsedAt: null,
    })
    expect((await subjects(email)).at(-1)).toBe(`${formatAsn(asn)} is verified`)
  })

  test('is no loss while another proof holds', async () => {
    const { id, email } = await verified()
    await pass(100, 10)
    await vouchForAsn(deps, db, SYSTEM, accountIdOf(id))
    await pass(100, 10)
    expect(await read(await signedIn(email))).toMatchObject({ risk: null })
  })
})

describe('a registry that does not answer', () => {
  test('takes nothing back, however long it is away', async () => {
    const { id, email, asn } = await verified()
    publish(asn, 'Heron')
    registry.unreachable = true
    await pass(400, 20)
    const ownership = await read(await signedIn(email))
    expect(ownership).toMatchObject({ asnVerifiedAt: expect.any(String), risk: null, silentSince: expect.any(String) })
    registry.unreachable = false
    await pass(1)
    expect((await read(await signedIn(email))).risk).not.toBeNull()
    expect(lapses).not.toContain(accountIdOf(id))
  })

  test('moves the day that was named, so that three days are left once it answers', async () => {
    const { id, asn } = await verified()
    publish(asn, 'Heron')
    await pass(8)
    registry.unreachable = true
    await pass(30, 3)
    registry.unreachable = false
    await pass(2)
    expect(lapses).not.toContain(accountIdOf(id))
    await pass(3)
    expect(lapses).toContain(accountIdOf(id))
  })
})

describe('a worker', () => {
  test('a worker that dies while it takes a verification back has done nothing, and the next one does it once', async () => {
    const { id, email, asn } = await verified()
    registry.records.delete(asn)
    await pass(7)
    clock.advance(15 * DAY)
    const dying = { ...deps, onAsnLapsed: () => Promise.reject(new Error('killed')) }
    const reconciler = asnRecheckReconciler(dying)
    await expect(reconciler.reconcile(accountIdOf(id), AbortSignal.timeout(5_000))).resolves.toBeUndefined()
    clock.advance(6 * DAY)
    await expect(reconciler.reconcile(accountIdOf(id), AbortSignal.timeout(5_000))).rejects.toThrow('killed')
    expect((await read(await signedIn(email))).asnVerifiedAt).not.toBeNull()
    expect(await subjects(email)).not.toContain(`${formatAsn(asn)} is no longer verified`)
    await Promise.all([worker(), worker(), worker()])
    expect(lapses.filter((lapsed) => lapsed === accountIdOf(id))).toHaveLength(1)
    const sent = (await subjects(email)).filter((subject) => subject.endsWith('no longer verified'))
    expect(sent).toHaveLength(1)
  })

  test('a worker that asked before another number was named writes nothing about it', async () => {
    const { id, email } = await verified()
    clock.advance(8 * DAY)
    const other = ++lastAsn
    const slow = {
      ...watched,
      registry: {
        ...registry,
        async autnum() {
          await inTransaction(db, (transaction) => claimAsn(transaction, SYSTEM, accountIdOf(id), other))
          return null
        },
      },
    }
    await asnRecheckReconciler(slow).reconcile(accountIdOf(id), AbortSignal.timeout(5_000))
    expect(await read(await signedIn(email))).toMatchObject({ asn: other, asnVerifiedAt: null, risk: null })
  })
})
