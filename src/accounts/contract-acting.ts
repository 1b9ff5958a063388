/** The border of staff acting for a customer. */
import { z } from 'zod'
import { defineApi } from '../kernel/endpoint.ts'
import { byId } from '../kernel/shapes.ts'
import { actingSpell } from './contract-shapes.ts'
import { ACTING_REASON_MAX_LENGTH, ACTING_REASON_MIN_LENGTH } from './policy.ts'

const reason = z
  .string()
  .trim()
  .min(ACTING_REASON_MIN_LENGTH, `takes at least ${ACTING_REASON_MIN_LENGTH} characters`)
  .max(ACTING_REASON_MAX_LENGTH, `takes at most ${ACTING_REASON_MAX_LENGTH} characters`)
  .regex(/^[^\p{C}]*$/u, 'may not contain control characters')

export const actingApi = defineApi({
  'POST /api/admin/users/{id}/acting': {
    summary: 'See the portal as a customer, with this session and for an hour at most; the customer is told',
    access: 'admin',
    duty: 'support',
    params: byId,
    body: z.strictObject({ reason }),
    ok: [201, actingSpell],
    refuses: [409],
  },
  'POST /api/acting/raise': {
    summary: 'While acting for a customer: change things too, for a quarter of an hour',
    access: 'session',
    acting: 'always',
    body: z.strictObject({ reason }),
    ok: [200, actingSpell],
    refuses: [409],
  },
  'DELETE /api/acting': {
    summary: 'Stop acting for a customer',
    access: 'session',
    acting: 'always',
    ok: [204, null],
    refuses: [409],
  },
})

export type ActingSpell = z.output<typeof actingSpell>
