/** The operator's texts, with their labels and maximum lengths. */

export type ContentField = 'notice' | 'supportEmail' | 'featureUrl' | 'termsUrl' | 'mailFooter' | 'invoiceFooter'

interface ContentFieldInput {
  readonly label: string
  /** `text` may have several lines. */
  readonly kind: 'text' | 'email' | 'url'
  readonly most: number
  readonly hint?: string
}

export const CONTENT_FIELDS: Readonly<Record<ContentField, ContentFieldInput>> = {
  notice: { label: 'Notice', kind: 'text', most: 500 },
  supportEmail: {
    label: 'Support address',
    kind: 'email',
    most: 254,
    hint: 'Shown in the support dialog, on error pages and in emails.',
  },
  featureUrl: {
    label: 'Link for feature requests',
    kind: 'url',
    most: 500,
    hint: 'Shown in the support dialog. Leave empty to use the support address.',
  },
  termsUrl: { label: 'Link to the terms', kind: 'url', most: 500, hint: 'Shown on the sign-up page.' },
  mailFooter: { label: 'Email footer', kind: 'text', most: 500 },
  invoiceFooter: {
    label: 'Invoice footer',
    kind: 'text',
    most: 300,
    hint: 'Applies to future invoices. Issued invoices do not change.',
  },
}
