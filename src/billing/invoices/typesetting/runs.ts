/** A line's letters in the order in which they stand, left to right, as runs of one face (UAX #9). */
import { levelsOf, mirrorOf } from './direction.ts'
import type { Face } from './face.ts'
import type { Letter } from './letters.ts'
import { isIsolate } from './plain-text.ts'

export interface LevelledLetter extends Letter {
  /** Odd ones run from right to left. */
  readonly level: number
}

export interface Run {
  readonly text: string
  readonly face: Face
}

export function levelled(letters: readonly Letter[]): LevelledLetter[] {
  const levels = levelsOf(letters.map(({ text }) => text).join(''))
  let at = 0
  return letters.map((letter) => {
    const level = levels[at]!
    at += letter.text.length
    return { ...letter, level }
  })
}

export function runsOf(line: readonly LevelledLetter[]): Run[] {
  const runs: { level: number; face: Face; letters: string[] }[] = []
  for (const letter of line) {
    if (isIsolate(letter.text)) continue
    const { level } = letter
    const face = level % 2 ? letter.rtl : letter.ltr
    const last = runs.at(-1)
    if (last && last.level === level && last.face.key === face.key) last.letters.push(letter.text)
    else runs.push({ level, face, letters: [letter.text] })
  }
  return reordered(runs).map(({ level, face, letters }) => {
    if (level % 2 === 0) return { face, text: letters.join('') }
    const mirrored = letters.map((letter) => mirrorOf(letter) ?? letter)
    // Signs between the words are in a face of Europe, which turns nothing round by itself.
    return { face, text: (face.rightToLeft ? mirrored : mirrored.toReversed()).join('') }
  })
}

/** Rule L2, for runs in place of letters: those of one run share their level. */
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
