import { defineApi } from '../../kernel/endpoint.ts'
import { invoiceFilter } from './staff-invoices.ts'
import { revenueQuery } from './staff-revenue.ts'

const file = { ok: [200, null], file: 'text/csv; charset=utf-8' } as const

/** Downloads of the lists of staff. */
export const staffFilesApi = defineApi({
  'GET /api/admin/invoices.csv': {
    summary: 'Invoices of all customers with their open amounts, newest first, as CSV',
    access: 'admin',
    query: invoiceFilter,
    ...file,
  },
  'GET /api/admin/revenue.csv': {
    summary: 'Revenue of a month by line, as CSV',
    access: 'admin',
    query: revenueQuery,
    errors: [404],
    ...file,
  },
  'GET /api/admin/revenue/days.csv': {
    summary: 'Accrued revenue of the current month by day, as CSV',
    access: 'admin',
    ...file,
  },
})
