/** The relying party that passkeys are bound to: the host name of the portal (WebAuthn Level 3, section 5.1.2). */
import { isIP } from 'node:net'

export interface RelyingParty {
  /** The host name that an authenticator binds a passkey to. */
  readonly id: string
  /** The origins that may use it. */
  readonly origins: string[]
}

/**
 * Returns null if there can be none: passkeys cannot be bound to IP addresses. The exception is a loopback address,
 * since a browser also reaches it as `localhost`.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, origin, protocol, port } = new URL(publicUrl)
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) === 0) return { id: hostname, origins: [origin] }
  if (!address.startsWith('127.') && address !== '::1') return null
  return { id: 'localhost', origins: [`${protocol}//localhost${port && `:${port}`}`] }
}
