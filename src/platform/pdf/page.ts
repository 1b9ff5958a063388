/** The page layout of all documents, and their rendering to a file. */
import PDFDocument from 'pdfkit'
import { COLORS } from '../pdf-colors.ts'

export type Pdf = InstanceType<typeof PDFDocument>

export const TOP = 56
export const LEFT = 56
export const RIGHT = 539
export const WIDTH = RIGHT - LEFT

export function rule(pdf: Pdf, y: number): void {
  pdf.strokeColor(COLORS.rule).lineWidth(0.5).moveTo(LEFT, y).lineTo(RIGHT, y).stroke()
}

/** The same content gives the same file at any time: the only time in it is `createdAt`. */
export function renderPdf(
  { title, author, createdAt }: { readonly title: string; readonly author: string; readonly createdAt: Date },
  draw: (pdf: Pdf) => void,
): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: TOP, bottom: 20, left: LEFT, right: 56 },
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Author: author, CreationDate: createdAt },
  })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  draw(document)
  document.end()
  return done
}
