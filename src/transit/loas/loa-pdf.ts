/** A letter of authorization as PDF, with the address and the code at which it can be verified. */
import { encode } from 'uqr'
import { formatAsn } from '../../kernel/asn.ts'
import { LEFT, renderPdf, RIGHT, rule, TOP, WIDTH, type Pdf } from '../../platform/pdf/page.ts'
import { heightOf, widthOf, write, type TextStyle } from '../../platform/pdf/write.ts'
import { COLORS } from '../../platform/pdf-colors.ts'
import { day, proofSentence, type LoaSubject } from './text.ts'
import { formatUtc } from '../../kernel/utc.ts'

export interface LoaPdf extends LoaSubject {
  readonly signatory: { readonly name: string; readonly title: string }
  readonly proof: { readonly asn: number; readonly method: string | null; readonly verifiedAt: Date }
  readonly paragraphs: readonly string[]
  readonly evidence: readonly string[]
  readonly signedAt: Date
  readonly validUntil: Date
  readonly verifyUrl: string
  readonly productName: string
}

const BOTTOM = 770
const FOOTER = 790
const QR_SIZE = 84
const BODY: TextStyle = { size: 10, width: WIDTH }

export function loaPdf(loa: LoaPdf): Promise<Buffer> {
  const title = `Letter of authorization: ${loa.prefix}`
  return renderPdf({ title, author: loa.productName, createdAt: loa.signedAt }, (pdf) => {
    drawLoa(pdf, loa)
    drawFooters(pdf, title)
  })
}

function drawLoa(pdf: Pdf, loa: LoaPdf): void {
  pdf.rect(LEFT, TOP, 22, 4).fill(COLORS.accent)
  write(pdf, loa.productName, LEFT, TOP + 10, { size: 14, bold: true, width: WIDTH })
  pdf.y = write(pdf, 'Letter of authorization', LEFT, TOP + 58, { size: 20, bold: true, width: WIDTH }) + 14
  const facts: [label: string, value: string][] = [
    ['Prefix', loa.prefix],
    ['Origin', formatAsn(loa.originAsn)],
    ['Authorized network', `${loa.operator.name}, ${formatAsn(loa.operator.asn)}`],
    ['Signed', formatUtc(loa.signedAt)],
    ['Valid until', day(loa.validUntil)],
  ]
  for (const [label, value] of facts) {
    const top = pdf.y
    write(pdf, label, LEFT, top, { ...BODY, quiet: true, width: 110 })
    pdf.y = write(pdf, value, LEFT + 120, top, { ...BODY, width: WIDTH - 120 }) + 4
  }
  pdf.y += 12
  for (const paragraph of loa.paragraphs) add(pdf, paragraph, BODY, 7)
  pdf.y += 10
  add(pdf, loa.signatory.name, { ...BODY, bold: true, size: 12 }, 2)
  add(pdf, loa.signatory.title, BODY, 6)
  add(pdf, proofSentence(loa.proof), { ...BODY, quiet: true, size: 9 }, 16)

  add(pdf, 'What the portal had seen when this was signed', { ...BODY, bold: true }, 5)
  for (const line of loa.evidence) add(pdf, line, { ...BODY, size: 9 }, 4)
  drawVerification(pdf, loa.verifyUrl)
}

/** Continues on the next page where this one is full. */
function add(pdf: Pdf, text: string, style: TextStyle, gap: number): void {
  makeRoom(pdf, heightOf(pdf, text, style))
  pdf.y = write(pdf, text, LEFT, pdf.y, style) + gap
}

function makeRoom(pdf: Pdf, height: number): void {
  if (pdf.y + height <= BOTTOM) return
  pdf.addPage()
  pdf.y = TOP
}

function drawVerification(pdf: Pdf, url: string): void {
  makeRoom(pdf, QR_SIZE + 24)
  const top = pdf.y + 12
  rule(pdf, top)
  drawQrCode(pdf, url, LEFT, top + 12)
  const left = LEFT + QR_SIZE + 16
  const width = RIGHT - left
  let y = write(pdf, 'Verify this letter', left, top + 16, { bold: true, size: 10, width }) + 4
  const linkTop = y
  y = write(pdf, url, left, y, { size: 9, width })
  pdf.link(left, linkTop, Math.min(width, widthOf(pdf, url)), y - linkTop, url)
  const why =
    'This page says whether the letter is valid at the moment, and the SHA-256 digest of this file as it was signed. Rely on no copy that the page does not confirm.'
  write(pdf, why, left, y + 5, { quiet: true, size: 8, width })
}

/** Draws the code with its quiet zone (ISO/IEC 18004, section 5.3.8), dark on white. */
function drawQrCode(pdf: Pdf, text: string, x: number, y: number): void {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const unit = QR_SIZE / size
  for (const [row, modules] of data.entries())
    for (const [column, dark] of modules.entries()) if (dark) pdf.rect(x + column * unit, y + row * unit, unit, unit)
  pdf.fill('#000000')
}

function drawFooters(pdf: Pdf, title: string): void {
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    rule(pdf, FOOTER - 6)
    write(pdf, title, LEFT, FOOTER, { quiet: true, size: 8, width: WIDTH - 80 })
    write(pdf, `${page + 1} / ${count}`, RIGHT - 80, FOOTER, { quiet: true, size: 8, width: 80, right: true })
  }
}
