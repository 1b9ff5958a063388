import { expect, test } from 'vitest'
import { userOf } from './owner.ts'
import { seedAccounts } from './seed.ts'
import { createAccountsTestApp, PASSWORD } from './testing.ts'

const { deps, signedIn } = await createAccountsTestApp()

test('the accounts of the demonstration can sign in as what they are', async () => {
  const seeded = await seedAccounts(deps, PASSWORD)
  const who = async (email: string) => (await (await signedIn(email)).call('GET', '/api/user')).body
  expect(await who('staff@example.net')).toMatchObject({ id: seeded.staffId, isAdmin: true, asn: null })
  expect(await who('customer@example.net')).toMatchObject({
    id: await userOf(deps.db, seeded.customerId),
    isAdmin: false,
    asn: 500_010,
    asnVerifiedAt: deps.clock.now().toISOString(),
  })
  expect(await who('newcomer@example.net')).toMatchObject({
    id: await userOf(deps.db, seeded.newcomerId),
    asn: null,
    asnVerifiedAt: null,
  })
})
