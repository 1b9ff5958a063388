import type { StaffRole } from '../../kernel/required-role.ts'
import { forbidden } from '../../kernel/problem.ts'
import { covers, type Scope } from '../../kernel/scope.ts'

/** Staff who see the portal as a customer: the principal is the customer, and this is who sits there. */
export interface Impersonation {
  readonly id: number
  /** May change things, for a while. */
  readonly elevated: boolean
  readonly staff: { readonly userId: number; readonly email: string; readonly sessionId: number }
}

/** The caller of a request, as `accounts` authenticated it. */
export interface Principal {
  readonly userId: number
  readonly email: string
  /** Staff, whatever their roles. */
  readonly isAdmin: boolean
  /** The roles of staff; none for a customer. */
  readonly roles: readonly StaffRole[]
  readonly asnVerifiedAt: Date | null
  /** `session`: a cookie, so unsafe calls need the CSRF header. `token`: a bearer token, which never rides along by itself. */
  readonly via: 'session' | 'token'
  readonly sessionId: number | null
  /** The token that was shown; none for a session. */
  readonly tokenId?: number
  /** The scopes of an API token; null for a session, which has all permissions of its user. */
  readonly scopes: readonly Scope[] | null
  readonly impersonation?: Impersonation
  /** Staff of an installation that wants a second factor of them, without one: they may nothing that only staff may. */
  readonly lacksSecondFactor?: boolean
  /** Staff suspended the account. It reads, pays and writes to support; as staff it may nothing. */
  readonly isSuspended?: boolean
}

export interface Credentials {
  readonly sessionToken: string | null
  readonly bearer: string | null
  readonly ip: string
}

/** Null for anyone unknown; a wrong or expired secret is the same as none. */
export type Authenticate = (credentials: Credentials) => Promise<Principal | null>

/** A session or a token by its row, for what was opened with it and outlives the request. */
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

/** The principal of each, in the same order; null where the session or the token has ended. All sessions in one query. */
export type AuthenticateOpened = (opened: readonly OpenedBy[]) => Promise<(Principal | null)[]>

/** Throws 403, `second_factor_required` for staff who have to set one up first, `account_suspended_by_staff` for suspended staff. */
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

/** Throws 403 `insufficient_scope` for a token that was not made for this. */
export function requireScope(principal: Principal, needed: Scope): void {
  if (principal.scopes && !covers(principal.scopes, needed)) {
    throw forbidden(`This token was not made for this: it needs the scope ${needed}.`, 'insufficient_scope')
  }
}
