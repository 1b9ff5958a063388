/** Reads `?token=` of a link in an email. The router parses a token of digits as a number, but it is always text. */
export const tokenSearch = ({ token }: Record<string, unknown>): { token?: string } =>
  typeof token === 'string' || typeof token === 'number' ? { token: String(token) } : {}

/** `?change=` beside it: the same page confirms a new email address. */
export const emailSearch = (search: Record<string, unknown>): { token?: string; change?: string } => {
  const { change } = search
  return { ...tokenSearch(search), ...(typeof change === 'string' ? { change } : {}) }
}

/** `?withdraw=` from the email sent after a confirmation. */
export const prefixSearch = (search: Record<string, unknown>): { token?: string; withdraw?: string } => {
  const { withdraw } = search
  return { ...tokenSearch(search), ...(typeof withdraw === 'string' ? { withdraw } : {}) }
}

/** The parameters that PeeringDB sends a browser back with. The router parses digits as a number, as above. */
export const peeringDbSearch = ({ code, state }: Record<string, unknown>): { code?: string; state?: string } =>
  (typeof code === 'string' || typeof code === 'number') && typeof state === 'string'
    ? { code: String(code), state }
    : {}
