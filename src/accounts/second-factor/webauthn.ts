/** The library that reads what authenticators say. Loaded with the first of them: it brings all of X.509 along. */
export const loadWebAuthn = () => import('@simplewebauthn/server')
