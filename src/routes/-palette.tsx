import CommandPalette, { type PaletteProps } from '../ui/shell/CommandPalette.tsx'
import { paletteSearch, paletteSources } from './-palette-sources.ts'

/** The palette with what each slice adds to it. Fetched when it is first opened. */
export default function Palette(props: PaletteProps) {
  return <CommandPalette {...props} sources={paletteSources} search={paletteSearch} />
}
