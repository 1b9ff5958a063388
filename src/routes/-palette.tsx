import CommandPalette, { type PaletteProps } from '../ui/shell/CommandPalette.tsx'
import { paletteSearch, paletteSources } from './-palette-sources.ts'

/** The palette with the items of each slice. Fetched when first opened. */
export default function Palette(props: PaletteProps) {
  return <CommandPalette {...props} sources={paletteSources} search={paletteSearch} />
}
