/** Products that are charged per event, not by time. */
import type { Db } from '../../platform/db/index.ts'
import { priceAt, readPriceList } from './price-list.ts'

export const isOneOff = (product: string): boolean => /^(setup|fee):/.test(product)

/** Returns the price in minor units in force at a moment; 0 before the first price. */
export async function oneOffPriceAt(
  db: Db,
  { product, currency, at }: { product: string; currency: string; at: Date },
): Promise<number> {
  const versions = (await readPriceList(db, currency)).get(product) ?? []
  return priceAt(versions, at)?.oneOff ?? 0
}
