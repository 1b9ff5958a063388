import { readFileSync } from 'node:fs'
import { create, type Font } from 'fontkit'
import { describe, expect, test } from 'vitest'
import { familiesFor, fileOf, sliceOf } from './families.ts'
import { Subset, subsetKey } from './subset.ts'
import { trueTypeOf } from './woff2.ts'

const faces = Array.from('日语말ヶ文אعกक', (char) => {
  const codePoint = char.codePointAt(0)!
  const family = familiesFor(char, char === '文' ? 'TW' : null).find((one) => sliceOf(one, codePoint))!
  return [char, readFileSync(fileOf(family, sliceOf(family, codePoint)!))] as const
})
const drawingOf = (font: Font, id: number) => {
  const { path, advanceWidth } = font.getGlyph(id)
  return { commands: path.commands, advanceWidth }
}

describe('a face of the web, made plain', () => {
  test.each(faces)('a font with %s has each outline as another reader sees it', (_, woff2) => {
    const theirs = create(woff2)
    const ours = create(trueTypeOf(woff2))
    expect(ours.numGlyphs).toBe(theirs.numGlyphs)
    expect(ours.numGlyphs).toBeGreaterThan(10)
    for (let id = 0; id < ours.numGlyphs; id++) expect(drawingOf(ours, id)).toEqual(drawingOf(theirs, id))
  })

  test.each(faces)('a font with %s is embedded as it looks in its weight, composed letters too', (_, woff2) => {
    const bold = create(trueTypeOf(woff2)).getVariation({ wght: 700 })
    const subset = new Subset(bold)
    const ids = Array.from({ length: Math.min(bold.numGlyphs, 200) }, (_none, id) => id)
    const places = ids.map((id) => subset.includeGlyph(subsetKey(id, [])))
    const embedded = create(subset.encode())
    for (const [index, id] of ids.entries()) {
      const wanted = drawingOf(bold, id)
      const { commands, advanceWidth } = drawingOf(embedded, places[index]!)
      expect(advanceWidth).toBe(Math.round(wanted.advanceWidth))
      const extents = (all: typeof commands) => all.flatMap(({ args }) => args).reduce((a, b) => Math.max(a, b), 0)
      expect(extents(commands)).toBe(Math.round(extents(wanted.commands)))
      expect(commands.filter(({ command }) => command === 'moveTo')).toHaveLength(
        wanted.commands.filter(({ command }) => command === 'moveTo').length,
      )
    }
  })

  test('is refused if it is none, is cut off or holds no TrueType', () => {
    const [, woff2] = faces[0]!
    expect(() => trueTypeOf(Buffer.from('wOFF and no more than that, of the first version'))).toThrow('no TrueType')
    expect(() => trueTypeOf(woff2.subarray(0, 2000))).toThrow()
    const cff = Buffer.from(woff2)
    cff.write('OTTO', 4)
    expect(() => trueTypeOf(cff)).toThrow('no TrueType')
  })
})
