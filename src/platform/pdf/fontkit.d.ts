/** Types for three packages that have none, or none that fit Node's module loading. */
declare module 'fontkit' {
  export interface PathCommand {
    readonly command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'bezierCurveTo' | 'closePath'
    readonly args: readonly number[]
  }
  export interface Glyph {
    readonly id: number
    /** The characters that the glyph represents. */
    readonly codePoints: readonly number[]
    readonly advanceWidth: number
    readonly path: { readonly commands: readonly PathCommand[] }
  }
  export interface GlyphRun {
    readonly glyphs: readonly Glyph[]
    readonly positions: readonly { readonly xAdvance: number }[]
    readonly advanceWidth: number
  }
  /** Positions glyphs by the font's tables. */
  interface Positions {
    applyLookup(type: number, table: unknown): boolean
    applyAnchor(mark: unknown, anchor: unknown, base: number): void
  }
  export interface Font {
    readonly _layoutEngine: { readonly engine: { readonly GPOSProcessor?: Positions } }
    readonly unitsPerEm: number
    readonly ascent: number
    readonly descent: number
    getGlyph(id: number): {
      readonly advanceWidth: number
      readonly path: { readonly commands: readonly PathCommand[] }
    }
    readonly numGlyphs: number
    hasGlyphForCodePoint(codePoint: number): boolean
    getVariation(settings: Record<string, number>): Font
    layout(
      text: string,
      features?: readonly string[],
      script?: string,
      language?: string,
      direction?: 'ltr' | 'rtl',
    ): GlyphRun
  }
  export function create(file: Buffer): Font
}

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { readonly position: number; readonly required: boolean } | null
  }
}

declare module 'bidi-js' {
  interface EmbeddingLevels {
    readonly levels: Uint8Array
    readonly paragraphs: readonly { readonly start: number; readonly end: number; readonly level: number }[]
  }
  interface Bidi {
    getEmbeddingLevels(text: string, base?: 'ltr' | 'rtl' | 'auto'): EmbeddingLevels
    getMirroredCharacter(char: string): string | null
  }
  export default function bidiFactory(): Bidi
}
