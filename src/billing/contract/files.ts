import { defineApi, type Endpoint } from '../../kernel/endpoint.ts'
import { byId } from '../../kernel/shapes.ts'
import { monthQuery } from './shapes.ts'

const PDF = 'application/pdf'
const CSV = 'text/csv; charset=utf-8'

const one = { params: byId, ok: [200, null] } as const satisfies Partial<Endpoint>

/** Downloads of invoices and samples. */
export const filesApi = defineApi({
  'GET /api/invoices/{id}.pdf': { summary: 'An invoice as PDF', access: 'session', ...one, file: PDF },
  'GET /api/invoices/{id}.csv': { summary: 'The lines of an invoice as CSV', access: 'session', ...one, file: CSV },
  'GET /api/admin/invoices/{id}.pdf': {
    summary: 'An invoice of any customer, as PDF',
    access: 'admin',
    ...one,
    file: PDF,
  },
  'GET /api/admin/invoices/{id}.csv': {
    summary: 'The lines of an invoice of any customer, as CSV',
    access: 'admin',
    ...one,
    file: CSV,
  },
  'GET /api/billing/transit/samples.csv': {
    summary: 'Five-minute samples of a month with exact byte counts, to verify the percentile',
    access: 'session',
    query: monthQuery,
    ok: [200, null],
    file: CSV,
  },
})
