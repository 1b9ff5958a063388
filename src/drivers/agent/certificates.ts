/** X.509 certificates of the portal's own authority (RFC 5280, Ed25519 of RFC 8410), for the links between portal and agents. */
import { createHash, createPublicKey, generateKeyPairSync, randomBytes, webcrypto, X509Certificate } from 'node:crypto'
// The library uses decorator metadata, and refuses to load without this.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

/**
 * The name in the portal's certificate. It contains no address, because the addresses at which agents reach the portal
 * change.
 */
export const PORTAL_NAME = 'portal.longhaul.internal'
const ED25519 = { name: 'Ed25519' }
/**
 * A certificate only says whose key it is. Staff can revoke the key at once in its row, so certificates never end a
 * link by expiring.
 */
const LIFETIME_MS = 20 * 365 * 86_400_000
/** The clock of a host may be behind. */
const BACKDATED_MS = 86_400_000

/** PEM. */
export interface Authority {
  readonly certificate: string
  readonly privateKey: string
}

export interface KeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

export function createKeyPair(): KeyPair {
  return generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}

export async function createAuthority(): Promise<Authority> {
  const keys = createKeyPair()
  const certificate = await x509.X509CertificateGenerator.create({
    ...(await describe('Longhaul agents', keys.publicKey)),
    issuer: 'CN=Longhaul agents',
    signingKey: await importPrivate(keys.privateKey),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  })
  return { certificate: certificate.toString('pem'), privateKey: keys.privateKey }
}

/**
 * Issues a certificate for the key of an agent or of a portal process. The name is only for display: the key is what is
 * looked up.
 */
export async function issueCertificate(
  authority: Authority,
  use: 'agent' | 'portal',
  publicKey: string,
): Promise<string> {
  const name = use === 'portal' ? PORTAL_NAME : `agent ${keyDigest(publicKey).slice(0, 16)}`
  const certificate = await x509.X509CertificateGenerator.create({
    ...(await describe(name, publicKey)),
    issuer: new x509.X509Certificate(authority.certificate).subject,
    signingKey: await importPrivate(authority.privateKey),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      // An agent's stolen key must not pass as the portal's.
      new x509.ExtendedKeyUsageExtension([
        use === 'portal' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth,
      ]),
      ...(use === 'portal' ? [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: PORTAL_NAME }])] : []),
    ],
  })
  return certificate.toString('pem')
}

/** Returns the SHA-256 of the public key (SubjectPublicKeyInfo) in hex. Throws for anything but an Ed25519 key. */
export function keyDigest(publicKey: string): string {
  const key = createPublicKey({ key: publicKey, format: 'pem', type: 'spki' })
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('the key is not an Ed25519 key')
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** Returns the same digest of the key in a certificate. */
export const certifiedKeyDigest = (der: Buffer): string =>
  createHash('sha256')
    .update(new X509Certificate(der).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')

async function describe(name: string, publicKey: string) {
  const now = Date.now()
  return {
    // RFC 5280 section 4.1.2.2: positive and at most 20 octets.
    serialNumber: `01${randomBytes(15).toString('hex')}`,
    subject: `CN=${name}`,
    notBefore: new Date(now - BACKDATED_MS),
    notAfter: new Date(now + LIFETIME_MS),
    signingAlgorithm: ED25519,
    publicKey: await importKey('spki', publicKey, 'verify'),
  }
}

const importPrivate = (pem: string) => importKey('pkcs8', pem, 'sign')

/** The library's types are a browser's; this key is compatible with them. */
const importKey = async (format: 'spki' | 'pkcs8', pem: string, use: 'sign' | 'verify') =>
  (await webcrypto.subtle.importKey(format, derOf(pem), ED25519, true, [use])) as CryptoKey

const derOf = (pem: string): Buffer<ArrayBuffer> => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
