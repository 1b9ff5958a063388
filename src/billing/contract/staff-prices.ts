import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { slug } from '../../kernel/slug.ts'
import { byId, time } from '../../kernel/shapes.ts'
import { DIRECTIONS } from '../states.ts'
import { amount, describedText, price } from './shapes.ts'

export const price31 = z.int().min(0).max(2147483647)
export const bps = z.int().min(0).max(10_000_000_000_000)

const newPrice = z.strictObject({
  product: z
    .string()
    .regex(/^((setup:)?router:[a-z0-9-]{1,60}|address:ipv[46]|(setup:)?transit|fee:[a-z0-9-]{1,40})$/, 'is no product'),
  /** Default: now. An increase for current customers requires the notice period of the settings. */
  effectiveFrom: time.optional(),
  hourlyPrice: price31.default(0),
  /** The monthly cap; for transit, the price of the commit. Only for products charged by time. */
  monthlyPrice: price31.optional(),
  /** For setup fees and other fees. */
  oneOffPrice: price31.optional(),
  /** For fees: the name that customers read. */
  name: describedText.max(60).optional(),
  transit: z.strictObject({ commitBps: bps, overagePrice: price31, direction: z.enum(DIRECTIONS) }).optional(),
})

const plan = z.object({
  slug: z.string(),
  name: z.string(),
  cpus: z.int(),
  /** MiB and GiB. */
  memory: z.int(),
  diskSize: z.int(),
  hourlyPrice: amount,
  monthlyPrice: amount,
  /** Charged once for each router. */
  setupPrice: amount,
  currency: z.string(),
  retiredAt: time.nullable(),
  /** Routers currently on the plan, and how many customers have them. */
  routers: z.int(),
  customers: z.int(),
})

const impact = z.object({
  currency: z.string(),
  /** True if any of its amounts is higher than before. */
  raises: z.boolean(),
  /** The earliest possible moment: now, or after the notice period if a customer would pay more. */
  earliest: time,
  noticeDays: z.int(),
  /** The number of customers who have the product now. */
  customers: z.int(),
  /** A full month of everything that these customers have now, before tax, with and without the new price. */
  month: time,
  before: amount,
  after: amount,
  /** The customers that it affects most. */
  most: z.array(
    z.object({
      user: z.object({ id: z.int(), firstName: z.string(), lastName: z.string() }),
      before: amount,
      after: amount,
    }),
  ),
})

const onePlan = z.object({ slug: z.string().regex(/^[a-z0-9-]{1,60}$/) })

export const staffPricesApi = defineApi({
  'GET /api/admin/prices': { summary: 'All versions of all prices', access: 'admin', ok: [200, z.array(price)] },
  'POST /api/admin/prices': {
    summary:
      'Add a price from a time. Products: router:<plan>, address:ipv4, address:ipv6 or transit; charged once: setup:router:<plan>, setup:transit or fee:<name>',
    access: 'admin',
    requiredRole: 'billing',
    body: newPrice,
    ok: [201, price],
    errors: [409],
  },
  'POST /api/admin/prices/preview': {
    summary: 'Preview a price: the customers affected and the change for each. Writes nothing',
    access: 'admin',
    requiredRole: 'billing',
    body: newPrice,
    ok: [200, impact],
  },
  'DELETE /api/admin/prices/{id}': {
    summary: 'Cancel a price that is not in force yet',
    access: 'admin',
    requiredRole: 'billing',
    params: byId,
    ok: [204, null],
    errors: [409],
  },
  'POST /api/admin/fees': {
    summary: 'Add a fee for staff to charge, with its price. Change the price later as fee:<short name>',
    access: 'admin',
    requiredRole: 'billing',
    body: z.strictObject({ slug, name: describedText.max(60), oneOffPrice: price31 }),
    ok: [201, price],
  },
  'GET /api/admin/plans': {
    summary: 'All router plans in the order of the price list, including retired ones',
    access: 'admin',
    ok: [200, z.array(plan)],
  },
  'POST /api/admin/plans': {
    summary: 'Add a router plan at the end of the price list, with its first price',
    access: 'admin',
    requiredRole: 'billing',
    body: z.strictObject({
      slug,
      name: describedText.max(60),
      cpus: z.int().min(1).max(64),
      memory: z.int().min(64).max(1_048_576),
      diskSize: z.int().min(1).max(65_536),
      hourlyPrice: price31,
      monthlyPrice: price31,
      setupPrice: price31.default(0),
    }),
    ok: [201, plan],
    errors: [409],
  },
  'POST /api/admin/plans/{slug}/retire': {
    summary: 'Retire a plan. Existing routers keep it',
    access: 'admin',
    requiredRole: 'billing',
    params: onePlan,
    body: z.strictObject({ reason: describedText }),
    ok: [200, plan],
  },
})
