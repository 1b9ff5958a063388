/**
 * OpenType, "Organization of an OpenType Font". Checksums are omitted: nothing reads them inside a PDF or a process.
 */
export const TRUETYPE = 0x00010000

export function writeTrueType(tables: ReadonlyMap<string, Buffer>): Buffer {
  const header = Buffer.alloc(12 + 16 * tables.size)
  header.writeUInt32BE(TRUETYPE, 0)
  header.writeUInt16BE(tables.size, 4)
  const parts: Buffer[] = [header]
  let offset = header.length
  for (const [index, [tag, table]] of [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1)).entries()) {
    const entry = 12 + 16 * index
    header.write(tag, entry, 'latin1')
    header.writeUInt32BE(offset, entry + 8)
    header.writeUInt32BE(table.length, entry + 12)
    const padding = Buffer.alloc(-table.length & 3)
    parts.push(table, padding)
    offset += table.length + padding.length
  }
  return Buffer.concat(parts)
}
