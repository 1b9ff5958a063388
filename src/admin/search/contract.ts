/** One search over everything that staff look for. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { PREFIX_STATUSES } from '../../transit/states.ts'

const user = z.object({ id: z.int(), email: z.string(), firstName: z.string(), lastName: z.string() })

export const searchApi = defineApi({
  'GET /api/admin/search': {
    summary:
      'Search users, routers, prefixes and invoices by text, ASN, address or number. Returns the newest five of each',
    access: 'admin',
    query: z.strictObject({ q: z.string().trim().min(1).max(100) }),
    ok: [
      200,
      z.object({
        users: z.array(user.extend({ asn: z.int().nullable(), company: z.string().nullable() })),
        routers: z.array(z.object({ id: z.int(), uuid: z.uuid(), name: z.string(), user })),
        prefixes: z.array(z.object({ id: z.int(), value: z.string(), status: z.enum(PREFIX_STATUSES), user })),
        invoices: z.array(z.object({ id: z.int(), number: z.string(), user })),
      }),
    ],
  },
})

export type SearchApi = typeof searchApi
