/** Numbers of invoices: per kind and year, ascending, without gaps. */
import type { Db } from '../../platform/db/index.ts'
import type { Settings } from '../settings.ts'
import '../tables.ts'

export interface InvoiceNumber {
  readonly series: string
  readonly serial: number
  readonly number: string
}

/**
 * The next numbers, in order. The row of the series stays locked until the transaction ends: whoever comes next waits,
 * and what is rolled back gives its numbers back. That is the price of having no gaps.
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
