/** A software authenticator (WebAuthn Level 3, section 6): one P-256 key, with user verification, like a phone. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { PasskeyAssertion, PasskeyCreation, PasskeyRegistration, PasskeyRequest } from '../contract.ts'

const FLAGS = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 }

export interface Overrides {
  readonly origin?: string
  readonly relyingPartyId?: string
  readonly challenge?: string
  readonly verified?: boolean
}

export function createAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  let counter = 0
  let userHandle: string | null = null

  const clientData = (
    type: string,
    request: { challenge: string; relyingParty: { origins: string[] } },
    o: Overrides,
  ) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: o.challenge ?? request.challenge,
        origin: o.origin ?? request.relyingParty.origins[0],
      }),
    )
  const head = (relyingPartyId: string, flags: number): Buffer => {
    const rest = Buffer.alloc(5)
    rest.writeUInt8(flags, 0)
    rest.writeUInt32BE(++counter, 1)
    return Buffer.concat([createHash('sha256').update(relyingPartyId).digest(), rest])
  }
  const flagsOf = (o: Overrides) => FLAGS.userPresent | (o.verified === false ? 0 : FLAGS.userVerified)

  return {
    id: credentialId.toString('base64url'),
    rewind: () => (counter = 0),
    create(request: PasskeyCreation, o: Overrides = {}): PasskeyRegistration['credential'] {
      userHandle = request.user.id
      const jwk = publicKey.export({ format: 'jwk' })
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const authData = Buffer.concat([
        head(o.relyingPartyId ?? request.relyingParty.id, flagsOf(o) | FLAGS.attested),
        Buffer.alloc(16),
        length,
        credentialId,
        coseKey(Buffer.from(jwk.x!, 'base64url'), Buffer.from(jwk.y!, 'base64url')),
      ])
      return {
        id: credentialId.toString('base64url'),
        clientDataJSON: clientData('webauthn.create', request, o).toString('base64url'),
        attestationObject: attestation(authData).toString('base64url'),
        transports: ['internal'],
      }
    },
    get(request: PasskeyRequest, o: Overrides = {}): PasskeyAssertion {
      const data = clientData('webauthn.get', request, o)
      const authData = head(o.relyingPartyId ?? request.relyingParty.id, flagsOf(o))
      const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()])
      return {
        id: credentialId.toString('base64url'),
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle,
      }
    },
  }
}

/** Only the CBOR (RFC 8949) that is needed: `{1: 2, 3: -7, -1: 1, -2: x, -3: y}` (RFC 9053 section 7.1.1). */
const coseKey = (x: Buffer, y: Buffer): Buffer =>
  Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), x, Buffer.from('225820', 'hex'), y])

/** `{fmt: "none", attStmt: {}, authData}`. */
function attestation(authData: Buffer): Buffer {
  const key = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
  const length = Buffer.from([0x59, authData.length >> 8, authData.length & 0xff])
  return Buffer.concat([
    Buffer.from([0xa3]),
    key('fmt'),
    key('none'),
    key('attStmt'),
    Buffer.from([0xa0]),
    key('authData'),
    length,
    authData,
  ])
}
