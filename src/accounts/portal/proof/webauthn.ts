/** Passkeys in the browser (WebAuthn Level 3). The API encodes bytes as base64url (RFC 4648 section 5). */
import type { PasskeyAssertion, PasskeyCreation, PasskeyRegistration, PasskeyRequest } from '../../contract.ts'

/** Says what the user can do about the error; null if the user canceled. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError'
}

const TIMEOUT_MS = 5 * 60_000
/** COSE (RFC 9053): EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]

export async function createPasskey(request: PasskeyCreation): Promise<PasskeyRegistration['credential']> {
  requireSameHostName(request.relyingParty)
  const { relyingParty, user, known } = request
  const made = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { id: relyingParty.id, name: relyingParty.name },
        user: { id: decode(user.id), name: user.name, displayName: user.name },
        challenge: decode(request.challenge),
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: known.map((id) => ({ type: 'public-key', id: decode(id) })),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
        timeout: TIMEOUT_MS,
      },
    }),
  )
  const { response } = made
  if (!(response instanceof AuthenticatorAttestationResponse))
    throw new PasskeyError('The device did not create a passkey.')
  return {
    id: made.id,
    clientDataJSON: encode(response.clientDataJSON),
    attestationObject: encode(response.attestationObject),
    transports: response.getTransports().filter((transport) => /^[a-z-]{1,20}$/.test(transport)),
  }
}

export async function answerWithPasskey(request: PasskeyRequest): Promise<PasskeyAssertion> {
  requireSameHostName(request.relyingParty)
  const used = await ask(() =>
    navigator.credentials.get({
      publicKey: {
        rpId: request.relyingParty.id,
        challenge: decode(request.challenge),
        allowCredentials: request.allowed.map(({ id, transports }) => ({
          type: 'public-key',
          id: decode(id),
          transports: transports as AuthenticatorTransport[],
        })),
        userVerification: 'required',
        timeout: TIMEOUT_MS,
      },
    }),
  )
  const { response } = used
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new PasskeyError('The device did not respond.')
  return {
    id: used.id,
    clientDataJSON: encode(response.clientDataJSON),
    authenticatorData: encode(response.authenticatorData),
    signature: encode(response.signature),
    userHandle: response.userHandle ? encode(response.userHandle) : null,
  }
}

async function ask(act: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await act()
    if (credential instanceof PublicKeyCredential) return credential
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'InvalidStateError') throw new PasskeyError('This device already has a passkey for your account.')
    if (name === 'NotAllowedError' || name === 'AbortError') {
      throw new PasskeyError('No passkey was used: the request was canceled, timed out, or this device has none.')
    }
    if (name !== 'SecurityError' && name !== 'NotSupportedError') throw error
  }
  throw new PasskeyError('This browser can’t use passkeys here.')
}

/** The browser only reports an insecure operation; this says which host names differ. */
function requireSameHostName({ id, origins }: { id: string; origins: readonly string[] }): void {
  if (origins.includes(location.origin)) return
  throw new PasskeyError(`Passkeys are registered for ${id}. Open the portal at ${origins[0] ?? id} to use them.`)
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0)
}

const encode = (bytes: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCodePoint(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
