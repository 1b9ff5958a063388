import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { composeEmail } from './email.ts'

const head = { productName: 'Longhaul', supportEmail: 'support@example.net' }
const url = 'https://portal.example.net/verify/email?token=a&b=c'

describe('an email', () => {
  test('says the same in its text and in its HTML', () => {
    const sentEmail = composeEmail(head, {
      subject: 'Hello',
      paragraphs: ['First.', 'Second.'],
      action: { label: 'Go on', url },
      after: ['Last.'],
    })
    expect(sentEmail.text).toBe(`First.\n\nSecond.\n\nGo on:\n${url}\n\nLast.\n\n-- \nLonghaul · support@example.net`)
    for (const word of ['First.', 'Second.', 'Go on', 'Last.', 'support@example.net']) {
      expect(sentEmail.html).toContain(word)
    }
    expect(sentEmail.html).toContain('href="https://portal.example.net/verify/email?token=a&amp;b=c"')
  })

  test('turns no text into markup, whatever it is', () => {
    const compose = (text: string): string =>
      composeEmail(
        { productName: text, supportEmail: text, footer: text },
        { subject: text, paragraphs: [text, text], action: { label: text, url: text }, after: [text] },
      ).html
    const markup = (html: string): string => html.replaceAll(/[^<>"']/g, '')
    const plain = markup(compose('plain'))
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', ' ', '$&', '${') }), (text) => {
        expect(markup(compose(text))).toBe(plain)
      }),
    )
  })
})
