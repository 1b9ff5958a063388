/** Puts words on the paper. What the built-in faces have, which is most, the PDF's maker sets by itself. */
import type PDFDocument from 'pdfkit'
import { PAPER } from '../../../platform/paper-inks.ts'
import { builtInFace, fitsBuiltIn } from './latin-faces.ts'
import { isolated, plainText } from './plain-text.ts'
import { draw, typeset, type Manner } from './typeset.ts'

type Pdf = InstanceType<typeof PDFDocument>

export interface Look {
  readonly size?: number
  readonly bold?: boolean
  readonly quiet?: boolean
  readonly width?: number
  readonly right?: boolean
  readonly country?: string | null
}

/** Several stand beside each other, and none can change the order of the others. */
export type Words = string | readonly string[]

/** Answers where the text ends. */
export function write(pdf: Pdf, words: Words, x: number, y: number, look: Look = {}): number {
  const manner = mannerOf(look)
  const { size, bold, width, right } = manner
  pdf.fillColor(look.quiet ? PAPER.quiet : PAPER.ink)
  const text = plainWords(words)
  if (!fitsBuiltIn(text)) {
    const set = typeset(pdf, orderedWords(words), manner)
    draw(pdf, set, x, y, manner)
    return y + set.height
  }
  const { key } = builtInFace(bold)
  pdf
    .font(key)
    .fontSize(size)
    .text(text, x, y, { width, align: right ? 'right' : 'left' })
  return y + pdf.heightOfString(text, { width })
}

export function heightOf(pdf: Pdf, words: Words, look: Look): number {
  const manner = mannerOf(look)
  const text = plainWords(words)
  if (!fitsBuiltIn(text)) return typeset(pdf, orderedWords(words), manner).height
  return pdf.font(builtInFace(manner.bold).key).fontSize(manner.size).heightOfString(text, { width: manner.width })
}

/** On one line. */
export function widthOf(pdf: Pdf, words: Words, look: Look = {}): number {
  const manner = { ...mannerOf(look), width: Infinity }
  const text = plainWords(words)
  if (!fitsBuiltIn(text)) return typeset(pdf, orderedWords(words), manner).longest
  return pdf.font(builtInFace(manner.bold).key).fontSize(manner.size).widthOfString(text)
}

const mannerOf = ({ size = 9, bold = false, width = 240, right = false, country = null }: Look): Manner => ({
  size,
  bold,
  width,
  right,
  country,
})

const BESIDE = ' · '
const plainWords = (words: Words): string =>
  typeof words === 'string' ? plainText(words) : words.map(plainText).join(BESIDE)
const orderedWords = (words: Words): string =>
  typeof words === 'string' ? plainText(words) : words.map((word) => isolated(plainText(word))).join(BESIDE)
