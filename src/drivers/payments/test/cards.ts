/** The cards of the built-in test provider; each name says what the card does. Browser-safe. */

export type TestCardBehaviour = 'charges' | 'declines' | 'refuses-attach' | 'wants-action' | 'charges-then-disputed'

export interface TestCard {
  /** The token that the browser sends instead of a card number. */
  readonly token: string
  readonly label: string
  readonly brand: string
  readonly last4: string
  readonly behaviour: TestCardBehaviour
  /** How the bank decides a dispute, a moment after it was opened; if absent, it never decides. */
  readonly decision?: 'dispute-won' | 'dispute-lost'
}

export const TEST_CARDS: readonly TestCard[] = [
  { token: 'pm_card_visa', label: 'Visa that pays', brand: 'visa', last4: '4242', behaviour: 'charges' },
  {
    token: 'pm_card_mastercard',
    label: 'Mastercard that pays',
    brand: 'mastercard',
    last4: '4444',
    behaviour: 'charges',
  },
  {
    token: 'pm_card_declined',
    label: 'Visa that is saved, but declines every charge',
    brand: 'visa',
    last4: '0341',
    behaviour: 'declines',
  },
  {
    token: 'pm_card_refused',
    label: 'Visa that its bank refuses to save',
    brand: 'visa',
    last4: '0002',
    behaviour: 'refuses-attach',
  },
  {
    token: 'pm_card_step',
    label: 'Visa that asks its holder to confirm each charge',
    brand: 'visa',
    last4: '3155',
    behaviour: 'wants-action',
  },
  {
    token: 'pm_card_dispute',
    label: 'Visa that pays, and whose holder disputes it',
    brand: 'visa',
    last4: '0259',
    behaviour: 'charges-then-disputed',
  },
  {
    token: 'pm_card_dispute_won',
    label: 'Visa that pays, whose holder disputes it and is turned down',
    brand: 'visa',
    last4: '2685',
    behaviour: 'charges-then-disputed',
    decision: 'dispute-won',
  },
  {
    token: 'pm_card_dispute_lost',
    label: 'Visa that pays, whose holder disputes it and gets it back',
    brand: 'visa',
    last4: '1976',
    behaviour: 'charges-then-disputed',
    decision: 'dispute-lost',
  },
]
