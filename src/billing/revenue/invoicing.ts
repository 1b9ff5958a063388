/** The invoiced and uninvoiced amounts of the current and the previous month, for one line of the dashboard. */
import { sql } from 'kysely'
import type { Reply } from '../../kernel/endpoint.ts'
import type { Db } from '../../platform/db/index.ts'
import { monthOf, type Interval } from '../charges/period.ts'
import type { BillingApi } from '../contract.ts'
import { monthName, type SumsOf } from './months.ts'

type Invoicing = Reply<BillingApi['GET /api/admin/revenue/invoicing']>

interface Row {
  readonly is_running: boolean
  readonly currency: string
  readonly invoiced: number
  readonly credited: number
  readonly drafted: number
}

/** `currency` is the operator's, in which usage is computed: it is listed even if nothing is in it. */
export async function readInvoicing(db: Db, now: Date, currency: string, sumsOf: SumsOf): Promise<Invoicing> {
  const running = monthOf(now)
  const last = monthOf(new Date(running.from.getTime() - 1))
  const { rows } = await sql<Row>`
    select period_start >= ${running.from} as is_running, currency,
      coalesce(sum(subtotal) filter (where kind = 'INVOICE' and status <> 'DRAFT'), 0)::bigint as invoiced,
      coalesce(sum(subtotal) filter (where kind = 'CREDIT_NOTE'), 0)::bigint as credited,
      coalesce(sum(subtotal) filter (where kind = 'INVOICE' and status = 'DRAFT'), 0)::bigint as drafted
    from invoices where period_start >= ${last.from} and period_start < ${running.to}
    group by 1, 2 order by 2`.execute(db)
  const view = async (month: Interval) => {
    const unbilled = [...(await sumsOf(month)).values()].reduce((sum, one) => sum + one.unbilled, 0)
    const billed = rows.filter((row) => row.is_running === (month === running))
    const others = billed.filter((row) => row.currency !== currency)
    const own = billed.find((row) => row.currency === currency)
    return {
      month: monthName(month),
      from: month.from.toISOString(),
      amounts: [
        { ...(own ? sumsIn(own) : NOTHING), currency, unbilled },
        ...others.map((row) => ({ ...sumsIn(row), currency: row.currency, unbilled: 0 })),
      ],
    }
  }
  return { last: await view(last), running: await view(running) }
}

const NOTHING = { invoiced: 0, credited: 0, drafted: 0 }
const sumsIn = ({ invoiced, credited, drafted }: Row) => ({ invoiced, credited, drafted })
