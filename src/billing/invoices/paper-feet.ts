/** The foot of each page: who sends it, the operator's own words above, and which page of how many. */
import type { Party } from './paper-party.ts'
import { LEFT, RIGHT, rule, WIDTH, type Paper, type Pdf } from './paper-sheet.ts'
import { heightOf, write } from './typesetting/write.ts'

/** Where the sender ends, however many lines that takes. */
const END = 807.25
const NUMBER_WIDTH = 80

interface Feet {
  readonly sender: readonly string[]
  readonly senderTop: number
  readonly footer: string
  readonly footerTop: number
  /** Above which everything else stays. */
  readonly top: number
}

const look = ({ invoice }: Paper) => ({ quiet: true, country: (invoice.seller as Party).country })
const senderLook = (paper: Paper) => ({ ...look(paper), size: 8, width: WIDTH - NUMBER_WIDTH - 3 })
const footerLook = (paper: Paper) => ({ ...look(paper), size: 7, width: WIDTH })

export function measureFeet(pdf: Pdf, paper: Paper): Feet {
  const seller = paper.invoice.seller as Party
  const sender = [seller.company ?? paper.productName, seller.registration ?? '', paper.supportEmail].filter(Boolean)
  const footer = (seller.footer ?? '').replaceAll(/\s+/g, ' ').trim()
  const senderTop = END - heightOf(pdf, sender, senderLook(paper))
  const footerTop = senderTop - 12 - (footer ? heightOf(pdf, footer, footerLook(paper)) : 0)
  return { sender, senderTop, footer, footerTop, top: Math.min(750, footerTop - 14) }
}

/** When all pages are there. */
export function drawFeet(pdf: Pdf, paper: Paper, { sender, senderTop, footer, footerTop }: Feet): void {
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    if (footer) write(pdf, footer, LEFT, footerTop, footerLook(paper))
    rule(pdf, senderTop - 8)
    write(pdf, sender, LEFT, senderTop, senderLook(paper))
    const number = { quiet: true, size: 8, width: NUMBER_WIDTH, right: true }
    write(pdf, `${page + 1} / ${count}`, RIGHT - NUMBER_WIDTH, senderTop, number)
  }
}
