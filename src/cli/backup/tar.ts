/** A tar archive (POSIX.1-1988 ustar) of small regular files, read and written as a stream; any tar can unpack it. */

export interface Entry {
  readonly name: string
  readonly content: Buffer
}

const BLOCK = 512
const NAME_BYTES = 100
/** Entries are pieces of about a megabyte; a single row may be larger, and no row is as large as this. */
const LARGEST_ENTRY = 256 << 20

export class ArchiveDamage extends Error {
  override readonly name = 'ArchiveDamage'
}

export function writeEntry({ name, content }: Entry, modified: Date): Buffer {
  if (Buffer.byteLength(name) > NAME_BYTES) throw new RangeError(`the name ${name} is too long for an archive`)
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`
  header.write(name, 0)
  header.write(octal(0o600, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(content.length, 12), 124)
  header.write(octal(Math.floor(modified.getTime() / 1000), 12), 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(`${octal(checksum(header), 7)} `, 148)
  return Buffer.concat([header, content, Buffer.alloc(-content.length & (BLOCK - 1))])
}

/** Two empty blocks. */
export const END_OF_ARCHIVE = Buffer.alloc(2 * BLOCK)

/** Throws {@link ArchiveDamage} where the stream is no such archive, or ends before the archive does. */
export async function* readEntries(stream: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const source = stream[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const take = async (size: number): Promise<Buffer> => {
    const parts = [held]
    for (let have = held.length; have < size;) {
      const next = await source.next()
      if (next.done) throw new ArchiveDamage('it ends in the middle')
      parts.push(next.value)
      have += next.value.length
    }
    const all = Buffer.concat(parts)
    held = all.subarray(size)
    return all.subarray(0, size)
  }
  for (;;) {
    const header = await take(BLOCK)
    if (header.every((byte) => byte === 0)) return
    const { name, size } = readHeader(header)
    const content = await take(size)
    await take(-size & (BLOCK - 1))
    yield { name, content }
  }
}

function readHeader(header: Buffer): { name: string; size: number } {
  const field = (start: number, width: number): string =>
    header
      .toString('utf8', start, start + width)
      .replace(/\0.*$/s, '')
      .trim()
  const size = Number.parseInt(field(124, 12), 8)
  if (field(257, 5) !== 'ustar' || Number.parseInt(field(148, 8), 8) !== checksum(header)) {
    throw new ArchiveDamage('a header in it is not one of a tar archive')
  }
  if (!Number.isInteger(size) || size > LARGEST_ENTRY) throw new ArchiveDamage('an entry in it is too large')
  return { name: field(0, NAME_BYTES), size }
}

/** The sum of the header's bytes, its own field taken as spaces. */
const checksum = (header: Buffer): number =>
  header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
