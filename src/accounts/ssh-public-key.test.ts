import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSshPublicKey } from './ssh-public-key.ts'

const ED25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'

/** Builds a key blob from its fields, each prefixed with its length. */
const blob = (...fields: (string | Buffer)[]): string =>
  Buffer.concat(
    fields.flatMap((field) => {
      const bytes = Buffer.from(field as string)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      return [length, bytes]
    }),
  ).toString('base64')

const rsa = (bits: number): string => {
  const { n, e } = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' })
  const modulus = Buffer.concat([Buffer.from([0]), Buffer.from(n!, 'base64url')])
  return `ssh-rsa ${blob('ssh-rsa', Buffer.from(e!, 'base64url'), modulus)}`
}

describe('an SSH public key', () => {
  test('is read with its comment, which is not part of what is written to a router', () => {
    expect(parseSshPublicKey(`  ${ED25519} ann@laptop of 2026\n`)).toEqual({
      type: 'ssh-ed25519',
      publicKey: ED25519,
      fingerprint: 'SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU',
      comment: 'ann@laptop of 2026',
    })
  })

  test.each([
    ['RSA of 2048 bits', rsa(2048)],
    ['ECDSA', `ecdsa-sha2-nistp256 ${blob('ecdsa-sha2-nistp256', 'nistp256', Buffer.alloc(65, 4))}`],
    ['a security key', `sk-ssh-ed25519@openssh.com ${blob('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 7), 'ssh:')}`],
  ])('may be %s', (_, key) => {
    expect(parseSshPublicKey(key)).toMatchObject({ publicKey: key })
  })

  test.each([
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz', 'private key'],
    ['an RSA key that can be broken', rsa(1024), '2048'],
    ['a DSA key', `ssh-dss ${blob('ssh-dss', 'x')}`, 'type'],
    ['a type from the prototype of objects', `constructor ${blob('constructor', 'x')}`, 'type'],
    ['a blob of another type', `ssh-ed25519 ${blob('ssh-rsa', Buffer.alloc(32))}`, 'damaged'],
    ['a short key', `ssh-ed25519 ${blob('ssh-ed25519', Buffer.alloc(31))}`, 'damaged'],
    ['bytes after the key', `ssh-ed25519 ${blob('ssh-ed25519', Buffer.alloc(32), 'more')}`, 'damaged'],
    ['a length beyond the end', 'ssh-ed25519 AAAA/3NzaC1lZDI1NTE5', 'damaged'],
    ['characters after the key that decode to nothing', `${ED25519}A`, 'damaged'],
    ['options before the key', `command="reboot" ${ED25519}`, 'type'],
    ['two lines', `${ED25519} a\n${ED25519} b`, 'one line'],
    ['a line break in the comment', `${ED25519} a\rssh-ed25519`, 'one line'],
    ['nothing', '', 'one line'],
  ])('may not be %s', (_, text, reason) => {
    expect(parseSshPublicKey(text)).toEqual({ problem: expect.stringContaining(reason) })
  })

  test('is one line of known characters, whatever was sent', () => {
    const hostile = fc.string({ unit: fc.constantFrom('\n', '\r', '"', ' ', '\t', '#', 'A', '=', '\0', ',', 'é') })
    fc.assert(
      fc.property(hostile, hostile, (before, after) => {
        const parsed = parseSshPublicKey(`${before}${ED25519}${after}`)
        if ('publicKey' in parsed) expect(parsed.publicKey).toMatch(/^[a-z0-9@.-]+ [A-Za-z0-9+/]+=*$/)
      }),
    )
  })

  test('has the fingerprint that ssh-keygen prints', ({ skip }) => {
    const key = rsa(2048)
    let printed = ''
    try {
      printed = execFileSync('ssh-keygen', ['-l', '-f', '-'], { input: `${key}\n`, encoding: 'utf8' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') skip('ssh-keygen is not installed')
      throw error
    }
    expect(printed).toContain((parseSshPublicKey(key) as { fingerprint: string }).fingerprint)
  })
})
