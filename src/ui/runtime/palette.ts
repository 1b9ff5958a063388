/** Items of the command palette. Each slice contributes a source; `routes/-palette-sources.ts` lists them. */
import type { IconName } from '../components/Icon.tsx'

export interface PaletteItem {
  readonly id: string
  readonly label: string
  readonly group: string
  readonly icon: IconName
  /** A dimmer text beside it: a state, an address. */
  readonly hint?: string
  /** The keys that do the same without the palette. */
  readonly keys?: readonly string[]
  /** Further search words that are not shown. */
  readonly keywords?: string
  /** The path it leads to … */
  readonly href?: string
  /** … or its action. */
  readonly run?: () => void
}

/** Loaded each time the palette opens; its data are cached by the code that fetches them. */
export type PaletteSource = (context: { readonly staff: boolean }) => Promise<readonly PaletteItem[]>

/**
 * Called while the user types, for what is too much to load: the server's own search. Its items are shown as they come.
 */
export type PaletteSearch = (
  typed: string,
  context: { readonly staff: boolean; readonly signal: AbortSignal },
) => Promise<readonly PaletteItem[]>

/**
 * Scores how well an item matches the typed text; null when some word does not occur at all. A label that begins with
 * the text scores best.
 */
export function paletteScore(item: PaletteItem, typed: string): number | null {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const label = item.label.toLowerCase()
  const rest = `${item.group} ${item.hint ?? ''} ${item.keywords ?? ''}`.toLowerCase()
  let score = 0
  for (const word of words) {
    const at = label.indexOf(word)
    if (at === 0) score += 4
    else if (at > 0) score += /[^\p{L}\p{N}]/u.test(label[at - 1] ?? '') ? 3 : 2
    else if (rest.includes(word)) score += 1
    else return null
  }
  return score
}

/** Returns the matching items, best first; equals keep their order. */
export function searchPalette(items: readonly PaletteItem[], typed: string, most = 40): PaletteItem[] {
  return items
    .map((item) => ({ item, score: paletteScore(item, typed) }))
    .filter((entry): entry is { item: PaletteItem; score: number } => entry.score !== null)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map((entry) => entry.item)
}

/** Appends the server's results to the local ones, without duplicates. */
export function withFound(known: readonly PaletteItem[], found: readonly PaletteItem[]): readonly PaletteItem[] {
  const shown = new Set(known.map(({ id }) => id))
  return [...known, ...found.filter(({ id }) => !shown.has(id))]
}
