/** Invoice numbers: ascending without gaps, per kind and year. */
import type { Db } from '../../platform/db/index.ts'
import type { Settings } from '../settings.ts'
import '../tables.ts'

export interface InvoiceNumber {
  readonly series: string
  readonly serial: number
  readonly number: string
}

/**
 * Returns the next numbers, in order. The row of the series stays locked until the transaction ends: the next caller
 * waits, and a rollback returns its numbers. That is the cost of having no gaps.
 */
export async function takeNumbers(
  db: Db,
  settings: Settings,
  kind: 'INVOICE' | 'CREDIT_NOTE',
  count: number,
  now: Date,
): Promise<InvoiceNumber[]> {
  if (count === 0) return []
  const series = `${kind === 'INVOICE' ? settings.series_prefix : `${settings.series_prefix}C`}-${now.getUTCFullYear()}`
  const { next } = await db
    .insertInto('invoice_series')
    .values({ series, next: 1 + count })
    .onConflict((clash) =>
      clash.column('series').doUpdateSet((eb) => ({ next: eb('invoice_series.next', '+', count) })),
    )
    .returning('next')
    .executeTakeFirstOrThrow()
  return Array.from({ length: count }, (_, index) => {
    const serial = next - count + index
    return { series, serial, number: `${series}-${String(serial).padStart(6, '0')}` }
  })
}
