/** Texts about a disputed payment. */
import type { EmailContent } from '../../accounts/index.ts'

/** `OPEN` means that it has begun. */
export type DisputeEnd = 'OPEN' | 'WON' | 'LOST'

interface Disputed {
  readonly number: string
  /** The amount as text. */
  readonly taken: string
}

export function disputeForCustomer(end: DisputeEnd, { number, taken }: Disputed): EmailContent {
  switch (end) {
    case 'OPEN':
      return {
        subject: `Your bank disputes the payment for ${number}`,
        paragraphs: [
          `Your card’s bank took back ${taken} because the cardholder disputes the payment. The invoice is open again.`,
          'We will not charge or remind you while the bank decides. If this is a mistake, tell your bank and reply to this email.',
        ],
      }
    case 'WON':
      return {
        subject: `The payment for ${number} was upheld`,
        paragraphs: [`The bank upheld the payment of ${taken}. No action is needed.`],
      }
    case 'LOST':
      return {
        subject: `Your bank reversed the payment for ${number}`,
        paragraphs: [
          `The bank returned ${taken} to the cardholder. The invoice is open and must be paid another way. Reminders continue.`,
        ],
      }
  }
}

/** The provider requires evidence within days, or the money is lost. */
export function disputeForStaff(
  end: DisputeEnd,
  { name, number, taken }: Disputed & { readonly name: string },
): EmailContent {
  switch (end) {
    case 'OPEN':
      return {
        subject: `${name}: payment for ${number} is disputed`,
        paragraphs: [
          `The bank took back ${taken}. Respond at the payment provider before its deadline, with evidence that the service was used.`,
          'The invoice is open again. It is not charged and dunning is paused until the bank decides.',
        ],
      }
    case 'WON':
      return {
        subject: `${name}: dispute for ${number} won`,
        paragraphs: [`${taken} was returned and the invoice is paid.`],
      }
    case 'LOST':
      return {
        subject: `${name}: dispute for ${number} lost`,
        paragraphs: [
          `${taken} was not returned. The invoice is open, no card is charged automatically, and dunning continues.`,
        ],
      }
  }
}
