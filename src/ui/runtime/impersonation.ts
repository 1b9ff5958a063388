/**
 * For whom this page believes to act. It is settled when the page first learns who is signed in and rides on every call:
 * once the server knows otherwise (it ended, or another tab began) the page starts anew instead of going on half wrong.
 */
import type { CurrentUser } from '../../accounts/contract.ts'
import type { HttpFailure } from './http-failure.ts'

let believed: { readonly impersonationId: number; readonly customer: number } | null = null

export const impersonationHeaders = (): Readonly<Record<string, string>> =>
  believed ? { 'x-impersonation': String(believed.impersonationId) } : {}

/** False when the page has to start anew, which it does. */
export function believe(before: CurrentUser | null | undefined, user: CurrentUser | null): boolean {
  if (before && user && (before.impersonation?.id ?? null) !== (user.impersonation?.id ?? null)) {
    reloadPortal(user.impersonation ? '/' : `/admin/users/${before.id}`)
    return false
  }
  believed = user?.impersonation ? { impersonationId: user.impersonation.id, customer: user.id } : null
  return true
}

/** True of a refusal that says this page is out of date; it starts anew then. */
export function isOutOfDate({ problem }: HttpFailure): boolean {
  if (problem.code !== 'impersonation_ended' && problem.code !== 'impersonation_header_missing') return false
  reloadPortal(believed ? `/admin/users/${believed.customer}` : '/')
  return true
}

/** Everything that was read as somebody else is forgotten with the page. */
export const reloadPortal = (address: string): void => location.replace(address)
