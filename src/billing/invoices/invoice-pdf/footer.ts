/** The foot of each page: who sends it, the operator's own words above, and which page of how many. */
import { LEFT, RIGHT, rule, WIDTH, type Pdf } from '../../../platform/pdf/page.ts'
import { heightOf, write } from '../../../platform/pdf/write.ts'
import type { Party } from './parties.ts'
import type { InvoicePdf } from './layout.ts'

/** Where the sender ends, however many lines that takes. */
const END = 807.25
const NUMBER_WIDTH = 80

interface FooterHeights {
  readonly sender: readonly string[]
  readonly senderTop: number
  readonly footer: string
  readonly footerTop: number
  /** Above which everything else stays. */
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

/** When all pages are there. */
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
