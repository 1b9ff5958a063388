/**
 * A font need not say where every mark stands on every letter: an anchor may be missing (OpenType 1.9.1, GPOS lookup types
 * 4 to 6: the offset "may be NULL"), and then the next subtable has its turn. fontkit takes each for there, and fails on
 * letters such as ڢ, whose dot is a mark to the font.
 */
import type { Font } from 'fontkit'

class MissingAnchor extends Error {}

export function forgiveMissingAnchors(font: Font): Font {
  const positions = font._layoutEngine.engine.GPOSProcessor
  if (!positions) return font
  const applyLookup = positions.applyLookup.bind(positions)
  const applyAnchor = positions.applyAnchor.bind(positions)
  positions.applyAnchor = (mark, anchor, base) => {
    if (!anchor) throw new MissingAnchor()
    applyAnchor(mark, anchor, base)
  }
  positions.applyLookup = (type, table) => {
    try {
      return applyLookup(type, table)
    } catch (error) {
      if (error instanceof MissingAnchor) return false
      throw error
    }
  }
  return font
}
