import { defineApi } from '../../kernel/endpoint.ts'
import { invoiceFilter } from './staff-invoices.ts'
import { revenueQuery } from './staff-revenue.ts'

const file = { ok: [200, null], file: 'text/csv; charset=utf-8' } as const

/** Downloads of the lists of staff. */
export const staffFilesApi = defineApi({
  'GET /api/admin/invoices.csv': {
    summary: 'Invoices of all customers with their open amounts, newest first',
    access: 'admin',
    query: invoiceFilter,
    ...file,
  },
  'GET /api/admin/revenue.csv': {
    summary: 'Revenue of a month by line',
    access: 'admin',
    query: revenueQuery,
    ...file,
  },
  'GET /api/admin/revenue/days.csv': {
    summary: 'The current month by day',
    access: 'admin',
    ...file,
  },
})
