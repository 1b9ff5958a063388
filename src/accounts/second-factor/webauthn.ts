/**
 * Loads the library that parses authenticator responses. It is loaded on first use, because it brings in all of
 * X.509.
 */
export const loadWebAuthn = () => import('@simplewebauthn/server')
