/** To whom passkeys are bound: the host name of the portal (WebAuthn level 3, section 5.1.2). */
import { isIP } from 'node:net'

export interface RelyingParty {
  /** The host name that an authenticator ties a passkey to. */
  readonly id: string
  /** The pages that may ask for it. */
  readonly origins: string[]
}

/**
 * Null where there can be none: passkeys are not made for bare addresses. This machine's own is the exception, since a
 * browser reaches it as `localhost` too.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, origin, protocol, port } = new URL(publicUrl)
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) === 0) return { id: hostname, origins: [origin] }
  if (!address.startsWith('127.') && address !== '::1') return null
  return { id: 'localhost', origins: [`${protocol}//localhost${port && `:${port}`}`] }
}
