/** `?token=` of a mailed link. The router reads a token of digits as a number: it is text whatever it looks like. */
export const tokenSearch = ({ token }: Record<string, unknown>): { token?: string } =>
  typeof token === 'string' || typeof token === 'number' ? { token: String(token) } : {}
