/**
 * The 100 000 most common passwords of eight or more characters among ten million leaked ones (SecLists).
 * `common-passwords.bin` stores them as digests: the first four bytes of SHA-256, sorted. With four bytes, one in 43
 * 000 other passwords is rejected by mistake, which costs the user another try. The file has 400 kB and is read on
 * first use, in a millisecond; `scripts/common-passwords.ts` creates it.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'

let digests: Uint32Array | undefined

export const foldPassword = (password: string): string => password.normalize('NFKC').toLowerCase()

/** Little-endian, like the machines that this runs on. */
export const digestOf = (folded: string): number => createHash('sha256').update(folded).digest().readUInt32LE(0)

export function isCommonPassword(folded: string): boolean {
  digests ??= readDigests()
  const wanted = digestOf(folded)
  let low = 0
  let high = digests.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (digests[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return digests[low] === wanted
}

function readDigests(): Uint32Array {
  const { buffer, byteOffset, length } = readFileSync(path.join(import.meta.dirname, 'common-passwords.bin'))
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + length))
}
