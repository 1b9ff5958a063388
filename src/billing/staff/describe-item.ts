/**
 * A charge or credit by staff: entered manually, or a fee of the price list, which defines its description and
 * amount.
 */
import { invalid, type FieldProblem } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { currentPrices, type PriceRow } from '../prices/versions.ts'
import { readSettings } from '../settings.ts'

export interface ItemInput {
  readonly kind: 'FEE' | 'CREDIT'
  readonly product?: string | undefined
  readonly description?: string | undefined
  readonly amount?: number | undefined
}

export async function describeItem(db: Db, input: ItemInput, now: Date) {
  const { kind, product, description, amount } = input
  const listed = product === undefined ? undefined : await inForce(db, product, now)
  if (product !== undefined) {
    const wrong = validateListed(input, listed)
    if (wrong.length > 0) throw invalid(wrong)
    return { kind, product, description: description ?? nameOf(listed!), amount: listed!.one_off_price! }
  }
  if (description === undefined || amount === undefined) {
    throw invalid([
      ...(description === undefined ? [{ field: 'description', message: 'is required' }] : []),
      ...(amount === undefined ? [{ field: 'amount', message: 'is required' }] : []),
    ])
  }
  return { kind, product: null, description, amount }
}

async function inForce(db: Db, product: string, now: Date): Promise<PriceRow | undefined> {
  const { currency } = await readSettings(db)
  const prices = await currentPrices(db, now)
  return prices.find((row) => row.product === product && row.currency === currency && row.effective_from <= now)
}

function validateListed({ kind, amount }: ItemInput, listed: PriceRow | undefined): FieldProblem[] {
  return [
    ...(kind === 'CREDIT' ? [{ field: 'product', message: 'is for fees alone' }] : []),
    ...(amount === undefined ? [] : [{ field: 'amount', message: 'is said by the price list' }]),
    ...(listed?.one_off_price ? [] : [{ field: 'product', message: 'has no price in force' }]),
  ]
}

const nameOf = ({ product, name }: PriceRow): string =>
  name ?? (product === 'setup:transit' ? 'Setup of IP transit' : 'Setup of a router')
