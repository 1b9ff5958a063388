/** `?token=` of a mailed link. The router reads a token of digits as a number: it is text whatever it looks like. */
export const tokenSearch = ({ token }: Record<string, unknown>): { token?: string } =>
  typeof token === 'string' || typeof token === 'number' ? { token: String(token) } : {}

/** `?change=` beside it: the same page agrees to another address. */
export const emailSearch = (search: Record<string, unknown>): { token?: string; change?: string } => {
  const { change } = search
  return { ...tokenSearch(search), ...(typeof change === 'string' ? { change } : {}) }
}

/** `?withdraw=` of the email that thanks for a confirmation. */
export const prefixSearch = (search: Record<string, unknown>): { token?: string; withdraw?: string } => {
  const { withdraw } = search
  return { ...tokenSearch(search), ...(typeof withdraw === 'string' ? { withdraw } : {}) }
}

/** What PeeringDB sends a browser back with. The router reads digits as a number, as above. */
export const peeringDbSearch = ({ code, state }: Record<string, unknown>): { code?: string; state?: string } =>
  (typeof code === 'string' || typeof code === 'number') && typeof state === 'string'
    ? { code: String(code), state }
    : {}
