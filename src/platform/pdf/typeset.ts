/** Breaks a text of any script into lines of a given width. */
import type PDFDocument from 'pdfkit'
import type { FontFace } from './font.ts'
import { charsOf } from './chars.ts'
import { breaksOf, graphemesOf } from './line-breaks.ts'
import { levelled, runsOf, type LevelledGlyphs, type Run } from './runs.ts'
import type { Taken } from './world-faces.ts'

type Pdf = InstanceType<typeof PDFDocument>

export interface Manner {
  readonly size: number
  readonly bold: boolean
  readonly width: number
  readonly right: boolean
  /** The locale of the text, which selects letter forms. */
  readonly country: string | null
}

interface SetRun extends Run {
  readonly width: number
}

export interface SetText {
  readonly lines: readonly (readonly SetRun[])[]
  /** The distance between lines. */
  readonly pitch: number
  readonly height: number
  /** The length of the longest line. */
  readonly longest: number
}

/** Passing features makes pdfkit set whole runs: its word-by-word layout orders words from left to right. */
const FEATURES: readonly string[] = []
/** The built-in font's baseline below the top of a line, relative to the size; other fonts share it. */
const ASCENT = 0.718

export function typeset(pdf: Pdf, text: string, { size, bold, width, country }: Manner): SetText {
  const chars = levelled(charsOf(text, country, bold, takenBy(pdf)))
  const measured = (line: LevelledRun): SetRun[] =>
    runsOf(line).map((run) => ({ ...run, width: widthOf(pdf, run, size) }))
  const lines = brokenInto(chars, width, (part) => lengthOf(measured(part))).map((line) => measured(trimmed(line)))
  const pitch = size * chars.reduce((most, { ltr }) => Math.max(most, ltr.leading), 1)
  const longest = lines.reduce((most, line) => Math.max(most, lengthOf(line)), 0)
  return { lines, pitch, height: pitch * lines.length, longest }
}

const takenByDocument = new WeakMap<Pdf, Taken>()

function takenBy(pdf: Pdf): Taken {
  const taken = takenByDocument.get(pdf) ?? new Set()
  takenByDocument.set(pdf, taken)
  return taken
}

export function draw(pdf: Pdf, { lines, pitch }: SetText, x: number, y: number, { size, width, right }: Manner): void {
  lines.forEach((line, index) => {
    let at = right ? x + width - lengthOf(line) : x
    for (const { text, face, width: own } of line) {
      choose(pdf, face, size).text(text, at, y + ASCENT * size + index * pitch, {
        baseline: 'alphabetic',
        lineBreak: false,
        features: FEATURES,
      })
      at += own
    }
  })
}

const choose = (pdf: Pdf, { source, key }: FontFace, size: number): Pdf =>
  (typeof source === 'string' ? pdf.font(source) : pdf.font(source, key)).fontSize(size)
const widthOf = (pdf: Pdf, { text, face }: Run, size: number): number =>
  choose(pdf, face, size).widthOfString(text, { features: FEATURES })
const lengthOf = (runs: readonly SetRun[]): number => runs.reduce((sum, { width }) => sum + width, 0)

type LevelledRun = readonly LevelledGlyphs[]

function trimmed(line: LevelledRun): LevelledRun {
  const end = line.findLastIndex(({ text }) => text.trim() !== '')
  return line.slice(0, end + 1)
}

/** Each part is measured once. A line is as long as its parts, because no letters join across a break opportunity. */
function brokenInto(chars: LevelledRun, width: number, lengthIn: (part: LevelledRun) => number): LevelledRun[] {
  const lines: LevelledGlyphs[][] = []
  let room = -1
  const add = (part: LevelledRun, seen: number) => {
    if (seen <= room) lines.at(-1)!.push(...part)
    else {
      lines.push([...part])
      room = width
    }
  }
  for (const part of partsAt(chars, breaksOf(textOf(chars)))) {
    const words = trimmed(part)
    const seen = lengthIn(words)
    const fragments = seen > width ? splitText(part) : [part]
    for (const fragment of fragments) {
      const length = lengthIn(fragment)
      add(fragment, fragment === part ? seen : length)
      room -= length
    }
  }
  return lines
}

const textOf = (chars: LevelledRun): string => chars.map(({ text }) => text).join('')

function splitText(part: LevelledRun): LevelledRun[] {
  let end = 0
  return partsAt(
    part,
    graphemesOf(textOf(part)).map(({ length }) => (end += length)),
  )
}

/** Break offsets count UTF-16 units, not characters. */
function partsAt(chars: LevelledRun, ends: readonly number[]): LevelledRun[] {
  const parts: LevelledGlyphs[][] = ends.map(() => [])
  let part = 0
  let at = 0
  for (const char of chars) {
    while (at >= ends[part]!) part++
    parts[part]!.push(char)
    at += char.text.length
  }
  return parts.filter(({ length }) => length > 0)
}
