/**
 * Parses SSH public keys strictly: a known type and a blob that is really of that type (RFC 4253 section 6.6),
 * nothing else. Options before the key and line breaks are rejected, since the key goes into a file that grants
 * access.
 */
import { createHash } from 'node:crypto'

export interface SshPublicKey {
  readonly type: string
  /** `type base64`, without a comment: safe to write as one line of `authorized_keys`. */
  readonly publicKey: string
  /** The fingerprint in the format of `ssh-keygen -l`. */
  readonly fingerprint: string
  readonly comment: string
}

/** Validates the fields of the blob after its type, by type. */
const TYPES: Readonly<Record<string, (fields: Buffer[]) => string | null>> = {
  'ssh-ed25519': ([key, ...rest]) => (rest.length === 0 && key?.length === 32 ? null : DAMAGED),
  'ecdsa-sha2-nistp256': ecdsa('nistp256', 65),
  'ecdsa-sha2-nistp384': ecdsa('nistp384', 97),
  'ecdsa-sha2-nistp521': ecdsa('nistp521', 133),
  'sk-ssh-ed25519@openssh.com': ([key, application, ...rest]) =>
    rest.length === 0 && key?.length === 32 && application ? null : DAMAGED,
  'sk-ecdsa-sha2-nistp256@openssh.com': ([curve, point, application, ...rest]) =>
    rest.length === 0 && application ? ecdsa('nistp256', 65)([curve!, point!]) : DAMAGED,
  'ssh-rsa': ([exponent, modulus, ...rest]) => {
    if (rest.length > 0 || !exponent || !modulus) return DAMAGED
    return bits(modulus) >= 2048 ? null : 'is an RSA key of less than 2048 bits: make an Ed25519 key'
  },
}
const DAMAGED = 'is damaged: copy the whole line of the .pub file'

/** Returns the key, or the reason why it is invalid. */
export function parseSshPublicKey(text: string): SshPublicKey | { readonly problem: string } {
  const line = text.trim()
  if (/PRIVATE KEY/.test(line))
    return { problem: 'is a private key: never send it to anyone; copy the .pub file instead' }
  const match = /^(\S+) +([A-Za-z0-9+/]+={0,2})(?: +([^\p{C}]*))?$/u.exec(line)
  if (!match) return { problem: 'must be one line: type, key and, if you like, a comment' }
  const [, type, base64, comment = ''] = match as unknown as [string, string, string, string | undefined]
  const check = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined
  if (!check) return { problem: `has a type that is not taken; these are: ${Object.keys(TYPES).join(', ')}` }
  const blob = Buffer.from(base64, 'base64')
  // Base64 that changes in a round trip hides something.
  if (blob.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, '')) return { problem: DAMAGED }
  const fields = readFields(blob)
  if (fields?.[0]?.toString('latin1') !== type) return { problem: DAMAGED }
  const problem = check(fields.slice(1))
  if (problem) return { problem }
  return {
    type,
    publicKey: `${type} ${blob.toString('base64')}`,
    fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`,
    comment: comment.trim(),
  }
}

/** Returns the length-prefixed strings (RFC 4251 section 5) that fill the blob exactly; null otherwise. */
function readFields(blob: Buffer): Buffer[] | null {
  const fields: Buffer[] = []
  for (let at = 0; at < blob.length;) {
    if (at + 4 > blob.length) return null
    const end = at + 4 + blob.readUInt32BE(at)
    if (end > blob.length) return null
    fields.push(blob.subarray(at + 4, end))
    at = end
  }
  return fields
}

function ecdsa(curve: string, pointLength: number) {
  return ([name, point, ...rest]: Buffer[]): string | null =>
    rest.length === 0 && name?.toString('latin1') === curve && point?.length === pointLength && point[0] === 4
      ? null
      : DAMAGED
}

function bits(number: Buffer): number {
  const first = number.findIndex((byte) => byte !== 0)
  return first < 0 ? 0 : (number.length - first) * 8 - Math.clz32(number[first]!) + 24
}
