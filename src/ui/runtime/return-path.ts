/** Reads `?redirect=` from a route's search. */
export const returnSearch = (search: Record<string, unknown>): { redirect?: string } =>
  typeof search['redirect'] === 'string' ? { redirect: search['redirect'] } : {}
