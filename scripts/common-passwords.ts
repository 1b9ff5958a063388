/**
 * `node scripts/common-passwords.ts LIST`: makes `src/accounts/sign-in/common-passwords.bin` from a list of leaked
 * passwords, one per line, most common first. It has the first 100 000 that are long enough for sign-up.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PASSWORD_MIN_LENGTH } from '../src/accounts/policy.ts'
import { digestOf, foldPassword } from '../src/accounts/sign-in/common-passwords.ts'

const list = readFileSync(process.argv[2] ?? '/dev/stdin', 'utf8')
const passwords = list
  .split('\n')
  .map((line) => foldPassword(line.trimEnd()))
  .filter((password) => password.length >= PASSWORD_MIN_LENGTH)
const digests = new Set([...new Set(passwords)].slice(0, 100_000).map(digestOf))
const sorted = Uint32Array.from(digests).sort()
writeFileSync(path.join(import.meta.dirname, '../src/accounts/sign-in/common-passwords.bin'), sorted)
console.log(`${sorted.length} passwords, ${sorted.byteLength} bytes`)
