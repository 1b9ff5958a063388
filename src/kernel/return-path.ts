/** The page that a user asked for before signing in or signing up. */
export const homePath = '/'

/** A sign-up keeps it until the address is confirmed: enough for every screen with its filters, and no store for texts. */
export const RETURN_PATH_MAX_LENGTH = 300

/**
 * The page to open after signing in. The address comes from an untrusted link, so it may only name a place in this
 * portal: anything else would let a stranger's link end on a stranger's copy of the login page.
 */
export function safeReturnPath(wanted: unknown, origin = 'https://portal.invalid'): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || !URL.canParse(wanted, origin)) return homePath
  const url = new URL(wanted, origin)
  // Browsers read `//host`, `/\\host` and their kin as another host; after parsing, the origin tells.
  if (url.origin !== origin || url.pathname.startsWith('//')) return homePath
  return `${url.pathname}${url.search}${url.hash}`
}

/** The same to be sent along: nothing when it is home, or too long to be kept. */
export function returnPathToKeep(wanted: unknown): { redirect?: string } {
  const redirect = safeReturnPath(wanted)
  return redirect === homePath || redirect.length > RETURN_PATH_MAX_LENGTH ? {} : { redirect }
}
