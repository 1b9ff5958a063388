import type { Font } from 'fontkit'

/** The font of a run of text, in the form that pdfkit accepts. */
export interface FontFace {
  /** Fonts with the same key are embedded once in a document. */
  readonly key: string
  /** The name of a built-in font, a file, or a loaded font. */
  readonly source: string | Font
  /** The line height, relative to the font size. */
  readonly leading: number
  /** Whether its characters are laid out from right to left; they are passed in reading order. */
  readonly rightToLeft: boolean
  /** Returns whether a mark or joiner can be set with the characters before it. */
  has(char: string): boolean
}
