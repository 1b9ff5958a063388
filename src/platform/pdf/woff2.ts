/**
 * Converts a web font (WOFF2) to the plain TrueType file that pdfkit can vary and subset. The fonts are bundled, so
 * this reads what the usual font tools write and rejects the rest.
 */
import { brotliDecompressSync } from 'node:zlib'
import { TRUETYPE, writeTrueType } from './true-type.ts'
import { readOutlines } from './woff2-outlines.ts'

/** W3C WOFF2 section 4.1, in numeric order; 63 means that the tag is written out. */
const KNOWN_TAGS = (
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT ' +
  'VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar ' +
  'fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
).match(/.{4}(?= |$)/g)!

const SIGNATURE = 0x774f4632
const HEADER = 48
const SPELLED_OUT = 63

interface Table {
  readonly tag: string
  readonly transformed: boolean
  /** The length in the decompressed stream. */
  readonly length: number
}

export function trueTypeOf(woff2: Buffer): Buffer {
  if (woff2.readUInt32BE(0) !== SIGNATURE || woff2.readUInt32BE(4) !== TRUETYPE) throw new Error('no TrueType in WOFF2')
  const { tables, end } = readDirectory(woff2)
  const data = brotliDecompressSync(woff2.subarray(end, end + woff2.readUInt32BE(20)))
  const plain = new Map<string, Buffer>()
  let at = 0
  for (const { tag, transformed, length } of tables) {
    const table = data.subarray(at, at + length)
    at += length
    if (!transformed) plain.set(tag, table)
    else if (tag === 'glyf') {
      const { glyf, loca } = readOutlines(table)
      plain.set('glyf', glyf).set('loca', loca)
    } else if (tag !== 'loca') throw new Error(`WOFF2 with a transformed ${tag}`)
  }
  const head = Buffer.from(plain.get('head')!)
  // Outline offsets are written in long form (indexToLocFormat), whatever they were.
  head.writeInt16BE(1, 50)
  return writeTrueType(plain.set('head', head))
}

function readDirectory(woff2: Buffer): { tables: Table[]; end: number } {
  let at = HEADER
  const base128 = (): number => {
    for (let value = 0, bytes = 0; bytes < 5; bytes++) {
      const byte = woff2[at++]!
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
    throw new Error('WOFF2 with a number without end')
  }
  const tables = Array.from({ length: woff2.readUInt16BE(12) }, (): Table => {
    const flags = woff2[at++]!
    const known = flags & 0x3f
    const tag = known === SPELLED_OUT ? woff2.toString('latin1', at, (at += 4)) : KNOWN_TAGS[known]!
    // Section 5: for "glyf" and "loca" version 0 is the transform and 3 is none; for other tables 0 is none.
    const version = flags >> 6
    const transformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0
    const plainLength = base128()
    return { tag, transformed, length: transformed ? base128() : plainLength }
  })
  return { tables, end: at }
}
