/** The operator's own words: what each is called, and how much it takes. */

export type Word = 'notice' | 'supportEmail' | 'featureUrl' | 'termsUrl' | 'mailFooter' | 'invoiceFooter'

interface WordField {
  readonly label: string
  /** `text` runs over lines. */
  readonly kind: 'text' | 'email' | 'url'
  readonly most: number
  readonly hint?: string
}

export const WORDS: Readonly<Record<Word, WordField>> = {
  notice: { label: 'Notice', kind: 'text', most: 500 },
  supportEmail: {
    label: 'Support address',
    kind: 'email',
    most: 254,
    hint: 'In the support dialog, on error pages and in letters.',
  },
  featureUrl: {
    label: 'Link for feature requests',
    kind: 'url',
    most: 500,
    hint: 'In the support dialog. Empty: a letter to the support address.',
  },
  termsUrl: { label: 'Link to the terms', kind: 'url', most: 500, hint: 'Shown where people sign up.' },
  mailFooter: { label: 'Below every letter', kind: 'text', most: 500 },
  invoiceFooter: {
    label: 'On every invoice',
    kind: 'text',
    most: 300,
    hint: 'From the next one on: an invoice that is issued stays as it is.',
  },
}
