/** The lists of staff as spreadsheet downloads, with the same filters as the pages. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { givenTime } from '../../kernel/shapes.ts'
import { PREFIX_STATUSES } from '../../transit/states.ts'

const search = z.string().trim().max(100).optional()

export const userFilter = z.strictObject({
  type: z.enum(['recent', 'paying', 'suspended'], 'takes recent, paying or suspended').optional(),
  /** For `recent`: users since this time. Default: the start of yesterday, UTC. */
  since: givenTime.optional(),
  search,
})

export const prefixFilter = z.strictObject({
  status: z
    .string()
    .toUpperCase()
    .pipe(z.enum(PREFIX_STATUSES, `takes one of ${PREFIX_STATUSES.join(', ')}`))
    .optional(),
  search,
})

export const filesApi = defineApi({
  'GET /api/admin/users.csv': {
    summary: 'Users, newest first, as CSV',
    access: 'admin',
    query: userFilter,
    ok: [200, null],
    file: 'text/csv; charset=utf-8',
  },
  'GET /api/admin/transit_prefixes.csv': {
    summary: 'Prefixes of all customers, newest first, as CSV',
    access: 'admin',
    query: prefixFilter,
    ok: [200, null],
    file: 'text/csv; charset=utf-8',
  },
})

export type UserFileFilter = z.output<typeof userFilter>
export type PrefixFileFilter = z.output<typeof prefixFilter>
