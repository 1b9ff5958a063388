/** Reads which shared libraries a 64-bit little-endian ELF file asks for: its DT_NEEDED entries and its interpreter. */

const TYPE_LOAD = 1
const TYPE_DYNAMIC = 2
const TYPE_INTERPRETER = 3
const TAG_NEEDED = 1n
const TAG_STRING_TABLE = 5n

interface Segment {
  readonly type: number
  readonly offset: number
  readonly address: bigint
  readonly size: number
}

export interface ElfNeeds {
  readonly libraries: readonly string[]
  readonly interpreter: string | null
}

function isElf(file: Buffer): boolean {
  return file.length >= 64 && file.readUInt32BE(0) === 0x7f454c46
}

export function readElfNeeds(file: Buffer): ElfNeeds {
  if (!isElf(file) || file[4] !== 2 || file[5] !== 1) throw new Error('not a 64-bit little-endian ELF file')
  const segments = readSegments(file)
  const interpreter = segments.find((segment) => segment.type === TYPE_INTERPRETER)
  const dynamic = segments.find((segment) => segment.type === TYPE_DYNAMIC)
  return {
    libraries: dynamic === undefined ? [] : readNeeded(file, segments, dynamic),
    interpreter: interpreter === undefined ? null : readString(file, interpreter.offset),
  }
}

function readSegments(file: Buffer): Segment[] {
  const start = Number(file.readBigUInt64LE(32))
  const entrySize = file.readUInt16LE(54)
  return Array.from({ length: file.readUInt16LE(56) }, (_, index) => {
    const at = start + index * entrySize
    return {
      type: file.readUInt32LE(at),
      offset: Number(file.readBigUInt64LE(at + 8)),
      address: file.readBigUInt64LE(at + 16),
      size: Number(file.readBigUInt64LE(at + 32)),
    }
  })
}

function readNeeded(file: Buffer, segments: readonly Segment[], dynamic: Segment): string[] {
  const names: bigint[] = []
  let table: number | null = null
  for (let at = dynamic.offset; at + 16 <= dynamic.offset + dynamic.size; at += 16) {
    const tag = file.readBigUInt64LE(at)
    const value = file.readBigUInt64LE(at + 8)
    if (tag === TAG_NEEDED) names.push(value)
    if (tag === TAG_STRING_TABLE) table = fileOffset(segments, value)
  }
  if (table === null) return []
  const base = table
  return names.map((name) => readString(file, base + Number(name)))
}

function fileOffset(segments: readonly Segment[], address: bigint): number {
  const home = segments.find(
    ({ type, address: start, size }) => type === TYPE_LOAD && address >= start && address < start + BigInt(size),
  )
  if (home === undefined) throw new Error('the ELF file points outside of its own segments')
  return home.offset + Number(address - home.address)
}

function readString(file: Buffer, at: number): string {
  return file.toString('latin1', at, file.indexOf(0, at))
}
