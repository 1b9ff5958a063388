import type { AccountId, UserId } from '../../kernel/ids.ts'
import type { StaffRole } from '../../kernel/required-role.ts'
import { forbidden } from '../../kernel/problem.ts'
import { covers, type Scope } from '../../kernel/scope.ts'

/** Staff who view the portal as a customer. The principal is the customer; this is the member of staff. */
export interface Impersonation {
  readonly id: number
  /** May change things, for a few minutes. */
  readonly elevated: boolean
  readonly staff: { readonly userId: UserId; readonly email: string; readonly sessionId: number }
}

/** The caller of a request, as `accounts` authenticated it. */
export interface Principal {
  /** The user who acts. */
  readonly userId: UserId
  /** The account that the user acts for. The principal reads and changes only what it owns. */
  readonly accountId: AccountId
  readonly email: string
  /** A member of staff with any role. */
  readonly isAdmin: boolean
  /** The roles of staff; empty for a customer. */
  readonly roles: readonly StaffRole[]
  readonly asnVerifiedAt: Date | null
  /**
   * `session`: a cookie, so unsafe requests need the CSRF header. `token`: a bearer token, which browsers never send
   * automatically.
   */
  readonly via: 'session' | 'token'
  readonly sessionId: number | null
  /** The token of this request; absent for a session. */
  readonly tokenId?: number
  /** The scopes of an API token; null for a session, which has all permissions of its user. */
  readonly scopes: readonly Scope[] | null
  readonly impersonation?: Impersonation
  /** Staff without a second factor where the installation requires one: they may do nothing that only staff may. */
  readonly lacksSecondFactor?: boolean
  /** Staff suspended the account. It can read, pay and write to support; as staff it may do nothing. */
  readonly isSuspended?: boolean
}

export interface Credentials {
  readonly sessionToken: string | null
  readonly bearer: string | null
  readonly ip: string
}

/** Returns null for an unknown caller; a wrong or expired secret counts as none. */
export type Authenticate = (credentials: Credentials) => Promise<Principal | null>

/** The row of a session or token that opened something which outlives the request. */
export interface OpenedBy {
  readonly sessionId: number | null
  readonly tokenId: number | null
  readonly ip: string
}

export const openedBy = ({ sessionId, tokenId, impersonation }: Principal, ip: string): OpenedBy => ({
  sessionId: impersonation?.staff.sessionId ?? sessionId,
  tokenId: tokenId ?? null,
  ip,
})

/**
 * Returns the principal of each, in the same order; null if the session or token has ended. All sessions take one
 * query.
 */
export type AuthenticateOpened = (opened: readonly OpenedBy[]) => Promise<(Principal | null)[]>

/**
 * Throws 403: `second_factor_required` for staff who have to set one up first, `account_suspended_by_staff` for
 * suspended staff.
 */
export function requireStaff(principal: Principal): void {
  if (!principal.isAdmin) throw forbidden('This call is for staff.', 'insufficient_role')
  requireNotSuspended(principal)
  if (principal.lacksSecondFactor) {
    throw forbidden(
      'Two-factor authentication required: add a passkey or an app in your settings.',
      'second_factor_required',
    )
  }
}

/** Throws 403 `account_suspended_by_staff`. */
export function requireNotSuspended({ isSuspended }: Principal): void {
  if (isSuspended) {
    throw forbidden(
      'Your account was suspended by our staff. To have it lifted, contact support.',
      'account_suspended_by_staff',
    )
  }
}

/** Throws 403 `insufficient_scope` for a token without this scope. */
export function requireScope(principal: Principal, needed: Scope): void {
  if (principal.scopes && !covers(principal.scopes, needed)) {
    throw forbidden(`This token was not made for this: it needs the scope ${needed}.`, 'insufficient_scope')
  }
}
