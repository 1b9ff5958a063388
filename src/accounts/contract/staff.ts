/** The API contract of staff and their roles. */
import { z } from 'zod'
import { STAFF_ROLES } from '../../kernel/required-role.ts'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, time } from '../../kernel/shapes.ts'
import { email } from './shapes.ts'

const roles = z
  .array(z.enum(STAFF_ROLES))
  .min(1, 'takes at least one')
  .max(STAFF_ROLES.length, 'names one twice')
  .refine((list) => new Set(list).size === list.length, 'names one twice')

const staffMember = z.object({
  id: z.int(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  roles: z.array(z.enum(STAFF_ROLES)),
  hasTotp: z.boolean(),
  passkeys: z.int(),
  lastSignInAt: time.nullable(),
  lastSignInIp: z.string().nullable(),
})

export const staffApi = defineApi({
  'GET /api/admin/staff': {
    summary: 'Members of staff, and whether they need a second factor',
    access: 'admin',
    ok: [200, z.object({ staff: z.array(staffMember), secondFactorRequired: z.boolean() })],
  },
  'POST /api/admin/staff': {
    summary: 'Give an existing user staff access. The user gets an email',
    access: 'admin',
    requiredRole: 'owner',
    body: z.strictObject({ email, roles }),
    ok: [201, staffMember],
    errors: [409],
  },
  'PUT /api/admin/staff/{id}': {
    summary: 'Change the roles of a member of staff. At least one owner must remain',
    access: 'admin',
    requiredRole: 'owner',
    params: byId,
    body: z.strictObject({ roles }),
    ok: [200, staffMember],
    errors: [409],
  },
  'DELETE /api/admin/staff/{id}': {
    summary: 'Remove staff access from a user. The account stays; its sessions end',
    access: 'admin',
    requiredRole: 'owner',
    params: byId,
    ok: [204, null],
    errors: [409],
  },
})

export type StaffMember = z.output<typeof staffMember>
