export const homePath = '/'

/**
 * Where to go after signing in. The address comes from whoever made the link, so it may only name a place in this
 * portal: anything else would let a stranger's link end on a stranger's copy of the login page.
 */
export function safeReturnPath(wanted: unknown, origin = 'https://portal.invalid'): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || !URL.canParse(wanted, origin)) return homePath
  const url = new URL(wanted, origin)
  // Browsers read `//host`, `/\host` and their kin as another host; after parsing, the origin tells.
  if (url.origin !== origin || url.pathname.startsWith('//')) return homePath
  return `${url.pathname}${url.search}${url.hash}`
}

/** `?redirect=` as a route's search. */
export const returnSearch = (search: Record<string, unknown>): { redirect?: string } =>
  typeof search['redirect'] === 'string' ? { redirect: search['redirect'] } : {}
