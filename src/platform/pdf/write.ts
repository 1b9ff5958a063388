/** Writes text on the page. pdfkit sets most text itself, with the built-in fonts. */
import type PDFDocument from 'pdfkit'
import { COLORS } from '../pdf-colors.ts'
import { builtInFont, fitsBuiltIn } from './latin-fonts.ts'
import { isolated, plainText } from './plain-text.ts'
import { draw, typeset, type Manner } from './typeset.ts'

type Pdf = InstanceType<typeof PDFDocument>

export interface TextStyle {
  readonly size?: number
  readonly bold?: boolean
  readonly quiet?: boolean
  readonly width?: number
  readonly right?: boolean
  readonly country?: string | null
}

/** Several texts are set one after another, and none can change the order of the others. */
export type TextInput = string | readonly string[]

/** Returns where the text ends. */
export function write(pdf: Pdf, input: TextInput, x: number, y: number, style: TextStyle = {}): number {
  const manner = mannerOf(style)
  const { size, bold, width, right } = manner
  pdf.fillColor(style.quiet ? COLORS.quiet : COLORS.text)
  const text = plainWords(input)
  if (!fitsBuiltIn(text)) {
    const set = typeset(pdf, orderedWords(input), manner)
    draw(pdf, set, x, y, manner)
    return y + set.height
  }
  const { key } = builtInFont(bold)
  pdf
    .font(key)
    .fontSize(size)
    .text(text, x, y, { width, align: right ? 'right' : 'left' })
  return y + pdf.heightOfString(text, { width })
}

export function heightOf(pdf: Pdf, input: TextInput, style: TextStyle): number {
  const manner = mannerOf(style)
  const text = plainWords(input)
  if (!fitsBuiltIn(text)) return typeset(pdf, orderedWords(input), manner).height
  return pdf.font(builtInFont(manner.bold).key).fontSize(manner.size).heightOfString(text, { width: manner.width })
}

/** Measures the text on one line. */
export function widthOf(pdf: Pdf, input: TextInput, style: TextStyle = {}): number {
  const manner = { ...mannerOf(style), width: Infinity }
  const text = plainWords(input)
  if (!fitsBuiltIn(text)) return typeset(pdf, orderedWords(input), manner).longest
  return pdf.font(builtInFont(manner.bold).key).fontSize(manner.size).widthOfString(text)
}

const mannerOf = ({ size = 9, bold = false, width = 240, right = false, country = null }: TextStyle): Manner => ({
  size,
  bold,
  width,
  right,
  country,
})

const BESIDE = ' · '
const plainWords = (input: TextInput): string =>
  typeof input === 'string' ? plainText(input) : input.map(plainText).join(BESIDE)
const orderedWords = (input: TextInput): string =>
  typeof input === 'string' ? plainText(input) : input.map((word) => isolated(plainText(word))).join(BESIDE)
