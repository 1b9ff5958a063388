/** The portal's light theme (src/ui/styles) in sRGB, for emails and invoices, which cannot use style sheets. */
export const COLORS = {
  text: '#151922',
  quiet: '#636872',
  rule: '#e0e2e6',
  ground: '#f3f4f7',
  accent: '#314ece',
} as const
