/** The API contract of impersonation. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId } from '../../kernel/shapes.ts'
import { impersonationSession } from './shapes.ts'
import { IMPERSONATION_REASON_MAX_LENGTH, IMPERSONATION_REASON_MIN_LENGTH } from '../policy.ts'

const reason = z
  .string()
  .trim()
  .min(IMPERSONATION_REASON_MIN_LENGTH, `takes at least ${IMPERSONATION_REASON_MIN_LENGTH} characters`)
  .max(IMPERSONATION_REASON_MAX_LENGTH, `takes at most ${IMPERSONATION_REASON_MAX_LENGTH} characters`)
  .regex(/^[^\p{C}]*$/u, 'may not contain control characters')

export const impersonationApi = defineApi({
  'POST /api/admin/users/{id}/impersonation': {
    summary: 'Impersonate a customer in this session for at most an hour. The customer gets an email',
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    body: z.strictObject({ reason }),
    ok: [201, impersonationSession],
    errors: [409],
  },
  'POST /api/impersonation/elevate': {
    summary: 'Allow changes for 15 minutes while viewing as a customer',
    access: 'session',
    impersonation: 'always',
    body: z.strictObject({ reason }),
    ok: [200, impersonationSession],
    errors: [409],
  },
  'DELETE /api/impersonation': {
    summary: 'Stop viewing as a customer',
    access: 'session',
    impersonation: 'always',
    ok: [204, null],
    errors: [409],
  },
})

export type ImpersonationSession = z.output<typeof impersonationSession>
