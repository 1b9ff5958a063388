/** Types of the parts of pdfkit that we use; it has none. */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream'
  import type { Font } from 'fontkit'
  interface TextOptions {
    width?: number
    align?: 'left' | 'right' | 'center'
    lineBreak?: boolean
    ellipsis?: boolean
    height?: number
    baseline?: 'alphabetic'
    features?: readonly string[]
  }
  export default class PDFDocument extends Readable {
    constructor(options: {
      size: 'A4'
      margins: { top: number; bottom: number; left: number; right: number }
      bufferPages: boolean
      info: Record<string, string | Date>
      lang?: string
      displayTitle?: boolean
    })
    readonly page: { readonly width: number; readonly height: number }
    y: number
    font(name: string): this
    /** A loaded font, under the name that this document uses for it. */
    font(face: Font, name: string): this
    fontSize(size: number): this
    fillColor(color: string): this
    strokeColor(color: string): this
    lineWidth(width: number): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    rect(x: number, y: number, width: number, height: number): this
    stroke(): this
    link(x: number, y: number, width: number, height: number, url: string): this
    fill(color?: string): this
    text(text: string, x?: number, y?: number, options?: TextOptions): this
    widthOfString(text: string, options?: TextOptions): number
    heightOfString(text: string, options?: TextOptions): number
    addPage(): this
    bufferedPageRange(): { start: number; count: number }
    switchToPage(page: number): this
    end(): void
  }
}
