/** Who may see a screen. The server refuses the data in any case; these spare people a screen full of refusals. */
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

/** As the browser has it: the router writes values of a query anew. A link that is only hovered is not where one is. */
const addressOf = ({ href, pathname }: Visit['location']): string =>
  pathname === window.location.pathname ? window.location.href.slice(window.location.origin.length) : href

export function requireVerifiedAsn({ context }: { readonly context: { readonly user: CurrentUser } }): void {
  if (context.user.asnVerifiedAt === null) throw redirect({ to: '/awaiting-verification' })
}

export function requireAdmin({ context }: { readonly context: { readonly user: CurrentUser } }): void {
  if (!context.user.isAdmin) throw redirect({ to: '/errors/404' })
  if (!worksAsStaff(context.user)) throw redirect({ to: '/settings', search: { tab: 'sign-in' } })
}

/** No guard: the screen is for everybody, and differs for who is known. */
export async function setKnownUser(): Promise<void> {
  await userIfKnown()
}

/** For the sign-in screens: who is already in has no business there. */
export async function redirectAfterSignIn({
  search,
}: {
  readonly search: { readonly redirect?: string }
}): Promise<void> {
  if (await userIfKnown()) throw redirect({ href: safeReturnPath(search.redirect) })
}

/** What is public stays so while nobody can say who this is. The call itself has told of its failure. */
const userIfKnown = (): Promise<CurrentUser | null> => currentUser().catch(() => null)
