/** The lists of staff as downloads, streamed because they may be larger than memory. */
import { accountOf, usersOfAccounts, type AccountUser } from '../../accounts/index.ts'
import type { AccountId, UserId } from '../../kernel/ids.ts'
import { csvLine } from '../../kernel/csv.ts'
import type { Handlers } from '../../platform/http/mount.ts'
import type { staffFilesApi } from '../contract/staff-files.ts'
import { decimal } from '../invoices/csv.ts'
import { monthNamed } from '../metering/usage-to-date.ts'
import { revenueDays } from '../revenue/days.ts'
import { monthName } from '../revenue/months.ts'
import type { RevenueLine } from '../revenue/revenue.ts'
import { readSettings } from '../settings.ts'
import { pageOfInvoices, type InvoiceInput } from './invoice-pages.ts'
import type { StaffDeps } from './deps.ts'

const BATCH = 200

export const fileHandlers = (deps: StaffDeps): Handlers<typeof staffFilesApi> => ({
  'GET /api/admin/invoices.csv': ({ query }) => ({ name: 'invoices.csv', body: invoiceLines(deps, query) }),
  'GET /api/admin/revenue.csv': async ({ query }, { db }) => {
    const { currency } = await readSettings(db)
    const month = monthNamed(query.month, deps.clock.now())
    const accountIds = query.user === undefined ? null : [await accountOf(db, query.user as UserId)]
    const { accrued } = await deps.revenueOf(currency).revenueLines(db, accountIds, month)
    const lines = accrued.filter((line) => query.kind === undefined || line.kind === query.kind)
    const owners = await usersOfAccounts(db, [...new Set(lines.map(({ accountId }) => accountId))])
    return { name: `revenue-${monthName(month)}.csv`, body: revenueFile(lines, owners, currency) }
  },
  'GET /api/admin/revenue/days.csv': async (_, { db }) => {
    const { currency } = await readSettings(db)
    const money = (amount: number | null) => (amount === null ? '' : decimal(amount, currency))
    const rows = (await revenueDays(db, deps.clock.now(), currency)).map((day) => [
      day.at.toISOString(),
      money(day.accrued),
      money(day.projected),
      currency,
    ])
    const body = [['at', 'accrued', 'projected', 'currency'], ...rows].map(csvLine).join('')
    return { name: 'revenue-days.csv', body }
  },
})

const INVOICE_HEADER =
  'number kind status customer_id customer email period_start issued due paid subtotal tax total open currency'.split(
    ' ',
  )

async function* invoiceLines({ db, clock }: StaffDeps, input: InvoiceInput): AsyncGenerator<string> {
  yield csvLine(INVOICE_HEADER)
  for (let before: number | undefined; ;) {
    const { invoices, next } = await pageOfInvoices(db, { ...input, before, limit: BATCH }, clock.now())
    yield invoices
      .map((invoice) => {
        const { user, currency } = invoice
        const sums = [invoice.subtotal, invoice.tax, invoice.total, invoice.open].map((sum) => decimal(sum, currency))
        return csvLine([
          invoice.number ?? '',
          invoice.kind,
          invoice.status,
          String(user.id),
          `${user.firstName} ${user.lastName}`,
          user.email,
          invoice.periodStart,
          invoice.issuedAt ?? '',
          invoice.dueAt ?? '',
          invoice.paidAt ?? '',
          ...sums,
          currency,
        ])
      })
      .join('')
    if (next === null) return
    before = next
  }
}

const REVENUE_HEADER = 'customer_id document kind description quantity unit unit_price amount currency'.split(' ')

const revenueFile = (
  lines: readonly RevenueLine[],
  owners: ReadonlyMap<AccountId, AccountUser>,
  currency: string,
): string =>
  [
    REVENUE_HEADER,
    ...lines.map((line) => [
      String(owners.get(line.accountId)!.id),
      line.invoice ? (line.invoice.number ?? `draft ${line.invoice.id}`) : 'not invoiced yet',
      line.kind,
      line.description,
      String(line.quantity),
      line.unit,
      decimal(line.unitPrice, currency),
      decimal(line.amount, currency),
      currency,
    ]),
  ]
    .map(csvLine)
    .join('')
