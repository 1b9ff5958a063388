/** The footer of each page: the seller, above it the operator's own text, and the page number with the page count. */
import { LEFT, RIGHT, rule, WIDTH, type Pdf } from '../../../platform/pdf/page.ts'
import { heightOf, write } from '../../../platform/pdf/write.ts'
import type { Party } from './parties.ts'
import type { InvoicePdf } from './layout.ts'

/** The bottom of the seller's lines, however many there are. */
const END = 807.25
const NUMBER_WIDTH = 80

interface FooterHeights {
  readonly sender: readonly string[]
  readonly senderTop: number
  readonly footer: string
  readonly footerTop: number
  /** All other content stays above this. */
  readonly top: number
}

const style = ({ invoice }: InvoicePdf) => ({ quiet: true, country: (invoice.seller as Party).country })
const sellerStyle = (document: InvoicePdf) => ({ ...style(document), size: 8, width: WIDTH - NUMBER_WIDTH - 3 })
const footerStyle = (document: InvoicePdf) => ({ ...style(document), size: 7, width: WIDTH })

export function measureFooters(pdf: Pdf, document: InvoicePdf): FooterHeights {
  const seller = document.invoice.seller as Party
  const sender = [seller.company ?? document.productName, seller.registration ?? '', document.supportEmail].filter(
    Boolean,
  )
  const footer = (seller.footer ?? '').replaceAll(/\s+/g, ' ').trim()
  const senderTop = END - heightOf(pdf, sender, sellerStyle(document))
  const footerTop = senderTop - 12 - (footer ? heightOf(pdf, footer, footerStyle(document)) : 0)
  return { sender, senderTop, footer, footerTop, top: Math.min(750, footerTop - 14) }
}

/** Call it after all pages are drawn. */
export function drawFooters(
  pdf: Pdf,
  document: InvoicePdf,
  { sender, senderTop, footer, footerTop }: FooterHeights,
): void {
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    if (footer) write(pdf, footer, LEFT, footerTop, footerStyle(document))
    rule(pdf, senderTop - 8)
    write(pdf, sender, LEFT, senderTop, sellerStyle(document))
    const number = { quiet: true, size: 8, width: NUMBER_WIDTH, right: true }
    write(pdf, `${page + 1} / ${count}`, RIGHT - NUMBER_WIDTH, senderTop, number)
  }
}
