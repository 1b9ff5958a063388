/** Checks over the same API that everything the portal acknowledged to a customer is true. */
import type { Customer } from './customer.ts'
import { differences } from './differences.ts'
import type { Mailbox } from './mailbox.ts'
import type { Strangers } from './strangers.ts'

export async function brokenWord(customer: Customer): Promise<string[]> {
  const { user: testUser, email } = customer
  const ask = async (path: string) => (await testUser.demand('GET', path)).body
  const user = await ask('/api/user')
  const connection = await ask('/api/transit_connection')
  const routers: { id: number; uuid: string; name: string; state: string }[] = await ask('/api/virtual_machines')
  const prefixes: { id: number; value: string; status: string }[] = await ask('/api/transit_prefixes')
  const cards: { id: number }[] = await ask('/api/account/payment_methods')
  const holding = prefixes.filter((prefix) => !['WITHDRAWN', 'REJECTED'].includes(prefix.status))
  return [
    ...differences(`first name of ${email}`, [customer.firstName], [user.firstName]),
    ...differences(`carrier of ${email}`, [String(customer.carrier)], [String(connection.router?.id ?? null)]),
    ...differences(
      `routers of ${email}`,
      [...customer.routers].map(([id, { uuid, name, state }]) => `${id} ${uuid} ${name} ${state}`),
      routers.map(({ id, uuid, name, state }) => `${id} ${uuid} ${name} ${state}`),
    ),
    ...differences(
      `prefixes of ${email}`,
      [...customer.prefixes].map(([value, { id, status }]) => `${id} ${value} ${status}`),
      // A check may have asked for something to be fixed: the request is there all the same.
      holding.map(({ id, value, status }) => `${id} ${value} ${status === 'NEEDS_ACTION' ? 'PENDING' : status}`),
    ),
    ...differences(
      `cards of ${email}`,
      [...customer.cards].map(String),
      cards.map((card) => String(card.id)),
    ),
    ...(await auditGaps(customer)),
  ]
}

/** Each action has one entry: a missing one hides what was done, and an extra one reports what was not. */
async function auditGaps(customer: Customer): Promise<string[]> {
  const found = new Map<string, number>()
  let page = ''
  for (;;) {
    const { body } = await customer.user.demand('GET', `/api/audit_events?limit=200${page}`)
    for (const { action } of body.events as { action: string }[]) found.set(action, (found.get(action) ?? 0) + 1)
    if (body.next === null) break
    page = `&before=${body.next}`
  }
  const expected = new Map(customer.auditLog).set('router.deleted', customer.deletedRouters.size)
  return [...expected]
    .filter(([action, count]) => (found.get(action) ?? 0) !== count)
    .map(([action, count]) => `trail of ${customer.email}: ${found.get(action) ?? 0} × ${action} instead of ${count}`)
}

/** Every acknowledged sign-up must get exactly one email with a link. */
export async function emailDifferences(strangers: Strangers, mailbox: Mailbox): Promise<string[]> {
  const received = await Promise.all(
    strangers.addresses.map(async (address) =>
      (await mailbox.emailsTo(address))
        .filter((sentEmail) => sentEmail.text?.includes('/verify/email'))
        .map(() => address),
    ),
  )
  return differences('letters to strangers', strangers.addresses, received.flat())
}
