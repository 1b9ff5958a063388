/** Who may see a screen. The server refuses the data in any case; these spare people a screen full of refusals. */
import { redirect } from '@tanstack/react-router'
import { safeReturnPath } from '../../kernel/return-path.ts'
import { currentUser, type CurrentUser } from './session.ts'

interface Visit {
  readonly location: { readonly href: string }
}

export async function requireUser({ location }: Visit): Promise<{ user: CurrentUser }> {
  const user = await currentUser()
  if (!user) throw redirect({ to: '/login', search: { redirect: location.href } })
  return { user }
}

export function requireVerifiedAsn({ context }: { readonly context: { readonly user: CurrentUser } }): void {
  if (context.user.asnVerifiedAt === null) throw redirect({ to: '/awaiting-verification' })
}

export function requireAdmin({ context }: { readonly context: { readonly user: CurrentUser } }): void {
  if (!context.user.isAdmin) throw redirect({ to: '/errors/404' })
  if (context.user.needsSecondFactor) throw redirect({ to: '/settings', search: { tab: 'sign-in' } })
}

/** No guard: the screen is for everybody, and differs for who is known. */
export async function setKnownUser(): Promise<void> {
  await currentUser()
}

/** For the sign-in screens: who is already in has no business there. */
export async function redirectAfterSignIn({
  search,
}: {
  readonly search: { readonly redirect?: string }
}): Promise<void> {
  if (await currentUser()) throw redirect({ href: safeReturnPath(search.redirect) })
}
