/** What is written about a payment that a bank took back. */
import type { LetterContent } from '../../accounts/index.ts'

/** `OPEN`: it has begun. */
export type DisputeEnd = 'OPEN' | 'WON' | 'LOST'

interface Disputed {
  readonly number: string
  /** The amount in words. */
  readonly taken: string
}

export function disputeForCustomer(end: DisputeEnd, { number, taken }: Disputed): LetterContent {
  switch (end) {
    case 'OPEN':
      return {
        subject: `Your bank disputes the payment of ${number}`,
        paragraphs: [
          `The bank of the card took ${taken} back, because its holder disputes the payment. The invoice is open again.`,
          'While the bank decides nothing is charged again, and nobody reminds you. If it is a mistake, tell your bank, and answer this letter.',
        ],
      }
    case 'WON':
      return {
        subject: `The payment of ${number} stands after all`,
        paragraphs: [`The bank decided that the payment of ${taken} was right. There is nothing left to do.`],
      }
    case 'LOST':
      return {
        subject: `Your bank took the payment of ${number} back`,
        paragraphs: [
          `The bank gave ${taken} back to the holder of the card. The invoice is open and has to be paid in another way; reminders go on from here.`,
        ],
      }
  }
}

/** A provider wants an answer with evidence within days, or the money is gone. */
export function disputeForStaff(
  end: DisputeEnd,
  { name, number, taken }: Disputed & { readonly name: string },
): LetterContent {
  switch (end) {
    case 'OPEN':
      return {
        subject: `${name}: a payment of ${number} is disputed`,
        paragraphs: [
          `The bank took ${taken} back. Answer at the payment provider before its deadline, with evidence that the service was used.`,
          'The invoice is open again. Until the bank has decided it is not charged, and dunning waits.',
        ],
      }
    case 'WON':
      return {
        subject: `${name}: the dispute about ${number} is won`,
        paragraphs: [`${taken} came back, and the invoice is paid.`],
      }
    case 'LOST':
      return {
        subject: `${name}: the dispute about ${number} is lost`,
        paragraphs: [
          `${taken} did not come back. The invoice is open, no card is charged for it by itself, and dunning goes on.`,
        ],
      }
  }
}
