/** Transit terms agreed with one customer, each effective from a date. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Selectable } from 'kysely'
import { conflict, invalid, notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Contract } from '../charges/transit-lines.ts'
import { lockBillingCustomer } from '../customers/customers.ts'
import { recordBillingEvent } from '../events.ts'
import type { TransitContractsTable } from '../tables.ts'

export const contractOf = (row: Selectable<TransitContractsTable>): Contract => ({
  id: row.id,
  from: row.effective_from,
  agreed: row.agreed,
  commitBps: row.commit_bps,
  commitPrice: row.commit_price,
  overagePrice: row.overage_price,
  direction: row.direction,
})

/** Returns the contracts, earliest first. */
export const contractsOf = async (db: Db, accountId: AccountId): Promise<Contract[]> =>
  (
    await db
      .selectFrom('transit_contracts')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('effective_from')
      .execute()
  ).map(contractOf)

/** Returns true if a contract in force costs money, whether transit is used or not. */
export async function hasContract(db: Db, accountId: AccountId, now: Date): Promise<boolean> {
  const inForce = (await contractsOf(db, accountId)).findLast((contract) => contract.from <= now)
  return inForce !== undefined && inForce.agreed && inForce.commitPrice > 0
}

/** Returns true if any contract costs money now or later: it would still apply after the account closed. */
export async function willHaveContract(db: Db, accountId: AccountId, now: Date): Promise<boolean> {
  const contracts = await contractsOf(db, accountId)
  return contracts.some(({ agreed, commitPrice }, index) => {
    const ends = contracts[index + 1]?.from ?? null
    return agreed && commitPrice > 0 && (ends === null || ends > now)
  })
}

const DAY_MS = 86_400_000

export type NewContract = Omit<Contract, 'id'>

/** Adds a contract from a day that is not invoiced yet. Invoiced usage keeps the terms of its time. */
export async function addContract(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  contract: NewContract,
): Promise<Contract> {
  const customer = await lockBillingCustomer(db, accountId)
  if (customer.billed_until && contract.from < customer.billed_until) {
    const first = new Date(customer.billed_until.getTime() + DAY_MS - 1).toISOString().slice(0, 10)
    throw invalid([{ field: 'effectiveFrom', message: `is invoiced already: ${first} is the first day that is not` }])
  }
  const row = await db
    .insertInto('transit_contracts')
    .values({
      account_id: accountId,
      currency: customer.currency,
      effective_from: contract.from,
      agreed: contract.agreed,
      commit_bps: contract.commitBps,
      commit_price: contract.commitPrice,
      overage_price: contract.overagePrice,
      direction: contract.direction,
      created_by: actor.userId,
    })
    .onConflict((clash) => clash.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw conflict('Other terms begin on that very day already.')
  await recordBillingEvent(db, actor, { type: 'transit_contract', id: row.id, accountId }, 'transit_contract.added', {
    ...contract,
    currency: customer.currency,
  })
  return contractOf(row)
}

/** Removes terms that are not in force yet, so nothing was metered by them. The terms before them stay in force. */
export async function removeContract(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  const found = await db.selectFrom('transit_contracts').selectAll().where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound()
  const { account_id: accountId, currency } = found
  await lockBillingCustomer(db, accountId)
  if (found.effective_from <= now) throw conflict('These terms are in force already: agree others that follow them.')
  await db.deleteFrom('transit_contracts').where('id', '=', id).execute()
  const { id: _, ...terms } = contractOf(found)
  const subject = { type: 'transit_contract', id, accountId }
  await recordBillingEvent(db, actor, subject, 'transit_contract.removed', { ...terms, currency })
}
