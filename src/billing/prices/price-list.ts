/** The price list as input of the billing engine. */
import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import type { Direction } from '../states.ts'
import type { PriceVersionsTable } from '../tables.ts'

export interface PriceVersion {
  readonly id: number
  readonly from: Date
  readonly hourly: number
  readonly monthly: number
  /** For `setup:` and `fee:` only: charged once. */
  readonly oneOff: number | null
  /** For `transit` only. */
  readonly transit: TransitTerms | null
}

export interface TransitTerms {
  readonly commitBps: number
  /** Minor units per month for the commit. */
  readonly commitPrice: number
  /** Minor units per Mbit/s above it, per month. */
  readonly overagePrice: number
  readonly direction: Direction
}

/** A price that staff announce. */
export interface NewPrice {
  readonly product: string
  readonly effectiveFrom: Date
  readonly hourlyPrice?: number | undefined
  readonly monthlyPrice?: number | undefined
  /** For `setup:` and `fee:`, which have no other price. */
  readonly oneOffPrice?: number | undefined
  /** For `fee:` only. */
  readonly name?: string | undefined
  readonly transit?:
    | { readonly commitBps: number; readonly overagePrice: number; readonly direction: Direction }
    | undefined
}

/** The versions of each product, earliest first. */
export type PriceList = ReadonlyMap<string, readonly PriceVersion[]>

export async function readPriceList(db: Db, currency: string): Promise<PriceList> {
  const rows = await db
    .selectFrom('price_versions')
    .selectAll()
    .where('currency', '=', currency)
    .orderBy('product')
    .orderBy('effective_from')
    .execute()
  const versions = rows.map((row) => ({
    product: row.product,
    id: row.id,
    from: row.effective_from,
    hourly: row.hourly_price,
    monthly: row.monthly_price,
    oneOff: row.one_off_price,
    transit: transitTerms(row),
  }))
  return Map.groupBy(versions, (version) => version.product)
}

/** Returns null for a price of another product. */
export const transitTerms = (row: Selectable<PriceVersionsTable>): TransitTerms | null =>
  row.direction === null
    ? null
    : {
        commitBps: row.commit_bps!,
        commitPrice: row.monthly_price,
        overagePrice: row.overage_price!,
        direction: row.direction,
      }

/** Returns the version in force at a moment; null before the first. */
export const priceAt = (versions: readonly PriceVersion[], at: Date): PriceVersion | null =>
  versions.findLast((version) => version.from <= at) ?? null
