/** Splits a line into runs of one font, in visual order from left to right (UAX #9). */
import { levelsOf, mirrorOf } from './direction.ts'
import type { FontFace } from './font.ts'
import type { Glyphs } from './chars.ts'
import { isIsolate } from './plain-text.ts'

export interface LevelledGlyphs extends Glyphs {
  /** Odd levels run from right to left. */
  readonly level: number
}

export interface Run {
  readonly text: string
  readonly face: FontFace
}

export function levelled(chars: readonly Glyphs[]): LevelledGlyphs[] {
  const levels = levelsOf(chars.map(({ text }) => text).join(''))
  let at = 0
  return chars.map((char) => {
    const level = levels[at]!
    at += char.text.length
    return { ...char, level }
  })
}

export function runsOf(line: readonly LevelledGlyphs[]): Run[] {
  const runs: { level: number; face: FontFace; chars: string[] }[] = []
  for (const char of line) {
    if (isIsolate(char.text)) continue
    const { level } = char
    const face = level % 2 ? char.rtl : char.ltr
    const last = runs.at(-1)
    if (last && last.level === level && last.face.key === face.key) last.chars.push(char.text)
    else runs.push({ level, face, chars: [char.text] })
  }
  return reordered(runs).map(({ level, face, chars }) => {
    if (level % 2 === 0) return { face, text: chars.join('') }
    const mirrored = chars.map((char) => mirrorOf(char) ?? char)
    // Punctuation between the words uses a European font, which does not reverse text itself.
    return { face, text: (face.rightToLeft ? mirrored : mirrored.toReversed()).join('') }
  })
}

/** Rule L2, applied to runs instead of characters: the characters of a run share its level. */
function reordered<T extends { readonly level: number }>(runs: readonly T[]): T[] {
  const order = [...runs]
  const highest = Math.max(...runs.map(({ level }) => level))
  for (let level = highest; level >= 1; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from
      while (to < order.length && order[to]!.level >= level) to++
      order.splice(from, to - from, ...order.slice(from, to).reverse())
      from = to
    }
  }
  return order
}
