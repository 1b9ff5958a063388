import type { Font } from 'fontkit'

/** The font of a run of text, in the form that pdfkit takes. */
export interface FontFace {
  /** One of these is embedded once in a document. */
  readonly key: string
  /** A built-in face's name, a file, or a face that was loaded. */
  readonly source: string | Font
  /** From line to line, in parts of the size. */
  readonly leading: number
  /** Whether its letters are laid out from right to left, so that they arrive in the order in which they are read. */
  readonly rightToLeft: boolean
  /** Whether a mark or joiner can be set with the letters before it. */
  has(char: string): boolean
}
