/** A text as letters that each have a face; what no face has is spelled out, never dropped in silence. */
import type { Face } from './face.ts'
import { familiesFor } from './families.ts'
import { isLatinLetter, latinFaceFor } from './latin-faces.ts'
import { isIsolate } from './plain-text.ts'
import { worldFaces, type Taken } from './world-faces.ts'

export interface Letter {
  readonly text: string
  readonly ltr: Face
  readonly rtl: Face
}

type Faces = Pick<Letter, 'ltr' | 'rtl'>

const STAYS_WITH_BASE = /^[\p{M}\u200c\u200d]$/u

export function lettersOf(text: string, country: string | null, bold: boolean, taken: Taken): Letter[] {
  const families = familiesFor(text, country)
  const latin = latinFaceFor(text, bold)
  const european = { ltr: latin, rtl: latin }
  const facesOf = (letter: string): Faces | null =>
    isLatinLetter(letter) || isIsolate(letter) ? european : worldFaces(families, letter.codePointAt(0)!, bold, taken)
  const inFaces = (word: string): Letter[] | null => {
    const letters = Array.from(word, (letter) => ({ text: letter, faces: facesOf(letter) }))
    return letters.every(({ faces }) => faces)
      ? letters.map(({ text: own, faces }) => ({ text: own, ...faces! }))
      : null
  }

  const letters: Letter[] = []
  let unknown: string[] = []
  const spellOut = () => {
    if (unknown.length === 0) return
    letters.push(...Array.from(`[${unknown.join(' ')}]`, (letter) => ({ text: letter, ...european })))
    unknown = []
  }
  for (const letter of text) {
    const base = letters.at(-1)
    const found =
      base && unknown.length === 0 && STAYS_WITH_BASE.test(letter) && base.ltr.has(letter)
        ? [{ ...base, text: letter }]
        : (inFaces(letter) ?? inFaces(letter.normalize('NFKC')) ?? inFaces(bareOf(letter)))
    if (found) {
      spellOut()
      letters.push(...found)
    } else unknown.push(`U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`)
  }
  spellOut()
  return letters
}

/** The letter below its accents; itself if there is nothing below. */
const bareOf = (letter: string): string => letter.normalize('NFD').replaceAll(/\p{M}/gu, '') || letter
