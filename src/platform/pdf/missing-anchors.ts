/**
 * A font need not define an anchor for every mark on every letter; the next subtable then applies (OpenType 1.9.1, GPOS
 * lookup types 4 to 6: the offset "may be NULL"). fontkit assumes that each exists, and fails on letters such as ڢ,
 * whose dot is a mark to the font.
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
