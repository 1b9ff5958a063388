/**
 * The customer that this page believes to impersonate. It is set when the page first learns who is signed in, and sent
 * with every request. Once the server disagrees (it ended, or another tab started one), the page reloads instead of
 * continuing with mixed data.
 */
import type { CurrentUser } from '../../accounts/contract.ts'
import type { HttpFailure } from './http-failure.ts'

let believed: { readonly impersonationId: number; readonly customer: number } | null = null

export const impersonationHeaders = (): Readonly<Record<string, string>> =>
  believed ? { 'x-impersonation': String(believed.impersonationId) } : {}

/** Returns false when the page has to reload, which it does. */
export function believe(before: CurrentUser | null | undefined, user: CurrentUser | null): boolean {
  if (before && user && (before.impersonation?.id ?? null) !== (user.impersonation?.id ?? null)) {
    reloadPortal(user.impersonation ? '/' : `/admin/users/${before.id}`)
    return false
  }
  believed = user?.impersonation ? { impersonationId: user.impersonation.id, customer: user.id } : null
  return true
}

/** True for an error that says this page is out of date; it then reloads. */
export function isOutOfDate({ problem }: HttpFailure): boolean {
  if (problem.code !== 'impersonation_ended' && problem.code !== 'impersonation_header_missing') return false
  reloadPortal(believed ? `/admin/users/${believed.customer}` : '/')
  return true
}

/** Reloads the page, so that everything read as another user is forgotten. */
export const reloadPortal = (address: string): void => location.replace(address)
