/** Decides who may see a page. The server protects the data in any case; these spare users a page full of errors. */
import { redirect } from '@tanstack/react-router'
import { safeReturnPath } from '../../kernel/return-path.ts'
import { currentUser, worksAsStaff, type CurrentUser } from './session.ts'

interface Visit {
  readonly location: { readonly href: string; readonly pathname: string }
}

export async function requireUser({ location }: Visit): Promise<{ user: CurrentUser }> {
  const user = await currentUser()
  if (!user) throw redirect({ to: '/login', search: { redirect: addressOf(location) } })
  return { user }
}

/**
 * Uses the browser's address, because the router rewrites query values. A link that is only hovered is not the current
 * address.
 */
const addressOf = ({ href, pathname }: Visit['location']): string =>
  pathname === window.location.pathname ? window.location.href.slice(window.location.origin.length) : href

export function requireVerifiedAsn({ context }: { readonly context: { readonly user: CurrentUser } }): void {
  if (context.user.asnVerifiedAt === null) throw redirect({ to: '/awaiting-verification' })
}

export function requireAdmin({ context }: { readonly context: { readonly user: CurrentUser } }): void {
  if (!context.user.isAdmin) throw redirect({ to: '/errors/404' })
  if (!worksAsStaff(context.user)) throw redirect({ to: '/settings', search: { tab: 'sign-in' } })
}

/** Not a guard: the page is open to everyone and differs for signed-in users. */
export async function setKnownUser(): Promise<void> {
  await userIfKnown()
}

/** For the sign-in pages: redirects users who are already signed in. */
export async function redirectAfterSignIn({
  search,
}: {
  readonly search: { readonly redirect?: string }
}): Promise<void> {
  if (await userIfKnown()) throw redirect({ href: safeReturnPath(search.redirect) })
}

/** A public page is shown even when the session cannot be read. The request itself has reported its failure. */
const userIfKnown = (): Promise<CurrentUser | null> => currentUser().catch(() => null)
