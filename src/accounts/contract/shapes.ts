/** Schemas shared by the contracts of accounts. */
import { z } from 'zod'
import { STAFF_ROLES } from '../../kernel/required-role.ts'
import { RETURN_PATH_MAX_LENGTH, safeReturnPath } from '../../kernel/return-path.ts'
import { time } from '../../kernel/shapes.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH, SUPPORT_REASON_MAX_LENGTH, SUPPORT_REASON_MIN_LENGTH } from '../policy.ts'

export const email = z
  .string()
  .trim()
  .max(EMAIL_MAX_LENGTH, `takes at most ${EMAIL_MAX_LENGTH} characters`)
  .pipe(z.email('is not an e-mail address'))
  // RFC 5321 section 4.5.3.1.1. No server would accept mail to a longer local part, so nobody could confirm the
  // address.
  .refine((text) => text.lastIndexOf('@') <= 64, 'is not an e-mail address: more than 64 characters stand before the @')
export const givenName = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(NAME_MAX_LENGTH, `takes at most ${NAME_MAX_LENGTH} characters`)
  .regex(/^[^\p{C}]*$/u, 'may not contain control characters')
/**
 * A secret to compare with a stored one. Any text is allowed, since a wrong one is rejected anyway; bounded because
 * it is hashed.
 */
export const presented = z.string().min(1, 'is required').max(200, 'is too long')
export const code = z.string().trim().min(1, 'is required').max(40, 'is too long')

/** The path to return to, in exactly the form that the portal writes, so that it cannot be read in two ways. */
export const returnPath = z
  .string()
  .max(RETURN_PATH_MAX_LENGTH, `takes at most ${RETURN_PATH_MAX_LENGTH} characters`)
  .refine((path) => safeReturnPath(path) === path, 'takes a path in this portal, such as /transit')

/** The reason for a support action: one line, as the audit log and emails show it. */
export const supportReason = z
  .string()
  .trim()
  .min(SUPPORT_REASON_MIN_LENGTH, `takes at least ${SUPPORT_REASON_MIN_LENGTH} characters`)
  .max(SUPPORT_REASON_MAX_LENGTH, `takes at most ${SUPPORT_REASON_MAX_LENGTH} characters`)
  .regex(/^[^\p{C}]*$/u, 'may not contain control characters')

export const staffName = z.object({ id: z.int(), name: z.string() })

export const impersonationSession = z.object({
  id: z.int(),
  /** The customer. */
  userId: z.int(),
  staff: z.object({ id: z.int(), name: z.string(), email: z.string() }),
  reason: z.string(),
  startedAt: time,
  expiresAt: time,
  /** The end of the time in which changes may be made; null or past means read-only. */
  elevatedUntil: time.nullable(),
  elevatedReason: z.string().nullable(),
})

export const currentUser = z.object({
  id: z.int(),
  email: z.string(),
  isAdmin: z.boolean(),
  /** Roles of a member of staff; empty for a customer. */
  roles: z.array(z.enum(STAFF_ROLES)),
  asn: z.int().nullable(),
  asnVerifiedAt: time.nullable(),
  firstName: z.string(),
  lastName: z.string(),
  hasTotp: z.boolean(),
  /** True with a passkey or an authenticator app: the password alone does not sign in. */
  hasSecondFactor: z.boolean(),
  /** True for staff who must set up a second factor before they may use any staff endpoint. */
  needsSecondFactor: z.boolean(),
  /** Set while staff suspend the account, with the reason and the time it began. */
  suspension: z.object({ reason: z.string(), since: time }).nullable(),
  /**
   * Set while a second factor reset is open: when it must be approved by, and when it is carried out after approval.
   */
  secondFactorReset: z.object({ requestedAt: time, approveBefore: time, dueAt: time.nullable() }).nullable(),
  /** Set while staff impersonate this customer. */
  impersonation: impersonationSession.nullable(),
  createdAt: time,
  lastSignInAt: time.nullable(),
  lastSignInIp: z.string().nullable(),
})
