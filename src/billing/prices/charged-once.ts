/** Products that are charged when something happens, not by time. */
import type { Db } from '../../platform/db/index.ts'
import { priceAt, readPriceList } from './price-list.ts'

export const isChargedOnce = (product: string): boolean => /^(setup|fee):/.test(product)

/** In minor units, as in force at a moment; 0 before the first price. */
export async function oncePriceAt(
  db: Db,
  { product, currency, at }: { product: string; currency: string; at: Date },
): Promise<number> {
  const versions = (await readPriceList(db, currency)).get(product) ?? []
  return priceAt(versions, at)?.once ?? 0
}
