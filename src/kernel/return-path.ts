/** The page that a user asked for before signing in or signing up. */
export const homePath = '/'

/**
 * A sign-up keeps it until the address is confirmed: long enough for every screen with its filters, too short to store
 * arbitrary text.
 */
export const RETURN_PATH_MAX_LENGTH = 300

/**
 * Returns the page to open after signing in. The value comes from an untrusted link, so it may only be a path in this
 * portal. Otherwise a link could lead to a fake login page.
 */
export function safeReturnPath(wanted: unknown, origin = 'https://portal.invalid'): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || !URL.canParse(wanted, origin)) return homePath
  const url = new URL(wanted, origin)
  // Browsers read `//host`, `/\\host` and similar paths as another host. After parsing, the origin shows it.
  if (url.origin !== origin || url.pathname.startsWith('//')) return homePath
  return `${url.pathname}${url.search}${url.hash}`
}

/** Returns the path as a search parameter to pass on: none for the home page or a path that is too long to keep. */
export function returnPathToKeep(wanted: unknown): { redirect?: string } {
  const redirect = safeReturnPath(wanted)
  return redirect === homePath || redirect.length > RETURN_PATH_MAX_LENGTH ? {} : { redirect }
}
