import type { AccountId } from '../../../kernel/ids.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pagesOf } from '../../../platform/pdf/testing.ts'
import { invoicePdf } from './invoice-pdf.ts'
import type { InvoiceRow, LineRow } from '../view.ts'

const at = (text: string) => new Date(text)
const party = {
  company: 'Longhaul Networks B.V.',
  street: 'Keizersgracht 1',
  postalCode: '1015 CJ',
  city: 'Amsterdam',
  country: 'NL',
  vatId: 'NL123456789B01',
}
const invoice: InvoiceRow = {
  id: 7,
  account_id: 12 as AccountId,
  currency: 'EUR',
  kind: 'INVOICE',
  reason: 'MONTHLY',
  status: 'OPEN',
  series: 'INV-2026',
  serial: 7,
  number: 'INV-2026-000007',
  period_start: at('2026-10-01T00:00:00Z'),
  period_end: at('2026-11-01T00:00:00Z'),
  subtotal: 12_345,
  tax: 0,
  total: 12_345,
  tax_rule: 'REVERSE_CHARGE',
  tax_rate: 0,
  seller: party,
  buyer: { ...party, name: 'Łukasz Žižek', company: 'Kestrel Networks GmbH', vatId: 'DE123456789' },
  corrects_id: null,
  created_at: at('2026-11-01T06:00:00Z'),
  issued_at: at('2026-11-01T06:00:00Z'),
  due_at: at('2026-11-15T06:00:00Z'),
  paid_at: null,
  mailed_at: null,
  charge_at: null,
  attempts: 0,
}
const lineOf = (index: number): LineRow => ({
  invoice_id: 7,
  position: index + 1,
  kind: 'ROUTER',
  subject: `router:${index}`,
  description:
    index % 3 ? `Router edge${index}, Swift` : 'IP transit above 100 Mbit/s, 95th percentile of 123.45 Mbit/s',
  quantity: '720.000000',
  unit: 'h',
  unit_price: 2,
  amount: 1440,
  evidence: {},
  item_id: null,
  starts_at: at('2026-10-01T00:00:00Z'),
  ends_at: at('2026-10-31T00:00:00Z'),
})
const parts = (lines: number) => ({
  lines: Array.from({ length: lines }, (_, index) => lineOf(index)),
  corrects: null,
  productName: 'Longhaul',
  supportEmail: 'support@example.net',
})
const render = (lines: number, footer: string | null = null) =>
  invoicePdf({ ...parts(lines), invoice: { ...invoice, seller: { ...party, footer } } })

describe('the paper', () => {
  test('says beside each line which days it is for', async () => {
    const dates = pagesOf(await render(3)).flatMap((page) => page.filter(({ text }) => text.includes('30 Oct 2026')))
    expect(dates).toHaveLength(3)
  })

  test('carries the words of the operator on each page, and needs no page more for them', async () => {
    const words = 'Registered in Amsterdam. '.repeat(12).trim()
    const pages = pagesOf(await render(60, words))
    expect(pages).toHaveLength(pagesOf(await render(60)).length)
    for (const page of pages) {
      const lines = page.filter(({ text }) => text.includes('Registered'))
      expect(lines.length).toBeGreaterThan(1)
    }
  })

  test('names who, for whom, for when, how much and why no tax', async () => {
    const text = pagesOf(await render(2))
      .flat()
      .map((segment) => segment.text)
      .join('\n')
    for (const word of [
      'Invoice INV-2026-000007',
      'Longhaul Networks B.V.',
      'VAT NL123456789B01',
      'Kestrel Networks GmbH',
      'VAT DE123456789',
      '2026-10-01 to 2026-10-31',
      '2026-11-15',
      '720 h',
      'Reverse charge',
    ])
      expect(text).toContain(word)
  })

  test.each([0, 1, 20, 34, 200])(
    'of %i lines has every line once, inside the margins, and its sums on the last page',
    async (count) => {
      const pages = pagesOf(await render(count))
      const all = pages.flat()
      expect(
        all.filter((segment) => segment.text.startsWith('Router edge') || segment.text.startsWith('IP transit')),
      ).toHaveLength(count)
      for (const { x, y } of all) {
        expect(x).toBeGreaterThanOrEqual(56)
        expect(x).toBeLessThan(540)
        expect(y).toBeGreaterThan(30)
        expect(y).toBeLessThan(800)
      }
      expect(pages.at(-1)!.some((segment) => segment.text === 'Total')).toBe(true)
      expect(pages.map((page) => page.at(-1)!.text)).toEqual(pages.map((_, index) => `${index + 1} / ${pages.length}`))
    },
  )

  test('is the same file whenever it is asked for', async () => {
    expect((await render(5)).equals(await render(5))).toBe(true)
  })

  test('embeds only the letters that it needs', async () => {
    const greek = await invoicePdf({
      ...parts(2),
      invoice: { ...invoice, buyer: { ...party, name: 'Γιώργος Παπαδόπουλος', company: 'Дунав Хостинг ЕООД' } },
    })
    expect(greek.length).toBeLessThan(40_000)
    expect(greek.toString('latin1')).toContain('DejaVuSans')
  })

  test('puts long names and addresses below each other, and never over each other', async () => {
    const long = {
      ...party,
      company: `${'Telekommunikationsgesellschaft '.repeat(4)}mbH`,
      street: 'Straße der langen Namen 1234, '.repeat(3),
    }
    const [page] = pagesOf(
      await invoicePdf({ ...parts(1), invoice: { ...invoice, seller: long, buyer: { ...long, name: 'Ann' } } }),
    )
    const left = page!.filter(({ x }) => x === 56).map(({ y }) => y)
    const gaps = left.slice(1).map((y, index) => Math.abs(left[index]! - y))
    expect(Math.min(...gaps)).toBeGreaterThan(7)
  })

  test('keeps the sums with a line, and says on each page whose it is', async () => {
    for (const count of [22, 23, 24, 25, 26, 27, 28, 29, 30]) {
      const pages = pagesOf(await render(count))
      const words = pages.map((page) => page.map(({ text }) => text).join('\n'))
      expect(words.at(-1)).toMatch(/Router edge|IP transit/)
      for (const page of words) expect(page).toContain('INV-2026-000007')
    }
  })

  test('says when it was paid, until when it is to be, and that a draft is no invoice', async () => {
    const wordsOf = async (change: Partial<InvoiceRow>) =>
      pagesOf(await invoicePdf({ ...parts(1), invoice: { ...invoice, ...change } }))
        .flat()
        .map(({ text }) => text)
        .join(' ')
    expect(await wordsOf({})).toContain('Payable by 2026-11-15')
    const paid = await wordsOf({ status: 'PAID', paid_at: at('2026-11-02T00:00:00Z') })
    expect(paid).toContain('2026-11-02')
    expect(paid).not.toContain('Payable')
    const draft = await wordsOf({ status: 'DRAFT', number: null, issued_at: null, due_at: null, tax_rule: null })
    expect(draft).toContain('This is a draft, not an invoice.')
    expect(draft).toContain('not decided yet')
  })

  test('breaks no figure, however long its currency makes it', async () => {
    const long = {
      ...lineOf(0),
      unit_price: 123_456_789_00,
      amount: 123_456_789_012_00,
      quantity: '1234.567000',
      unit: 'Mbit/s',
    }
    const sums = { subtotal: 123_456_789_012_00, total: 123_456_789_012_00 }
    const [page] = pagesOf(
      await invoicePdf({ ...parts(1), lines: [long], invoice: { ...invoice, ...sums, currency: 'IDR' } }),
    )
    const texts = page!.map(({ text }) => text.replaceAll('\u00a0', ' '))
    for (const figure of ['1234.567 Mbit/s', 'IDR 123,456,789.00', 'IDR 123,456,789,012.00'])
      expect(texts).toContain(figure)
    expect(texts.filter((text) => text === 'IDR 123,456,789,012.00')).toHaveLength(3)
  })

  test('names no rate where no tax is charged for a reason', async () => {
    const taxed = async (change: Partial<InvoiceRow>) =>
      pagesOf(await invoicePdf({ ...parts(1), invoice: { ...invoice, ...change } }))
        .flat()
        .map(({ text }) => text)
        .filter((text) => /^(VAT|Tax)( \d|$)/.test(text))
    expect(await taxed({})).toEqual(['VAT'])
    expect(await taxed({ tax_rule: 'OUTSIDE' })).toEqual(['VAT'])
    expect(await taxed({ tax_rule: 'DOMESTIC', tax_rate: 2100 })).toEqual(['VAT 21 %'])
    expect(await taxed({ tax_rule: 'NONE' })).toEqual(['Tax'])
  })

  test('lets no foot, however long and in whatever script, stand over the lines or take a page of its own', async () => {
    const wide = { company: 'W'.repeat(200), registration: 'Handelsregister '.repeat(12) }
    const tall = { company: '株式会社'.repeat(50), registration: '登録番号'.repeat(50), country: 'JP' }
    for (const [seller, footer] of [
      [wide, 'Registered in Amsterdam. '.repeat(12)],
      [tall, '登録'.repeat(150)],
    ] as const) {
      const pages = pagesOf(
        await invoicePdf({ ...parts(60), invoice: { ...invoice, seller: { ...party, ...seller, footer } } }),
      )
      expect(pages.length).toBeLessThan(5)
      for (const page of pages) {
        expect(page.map(({ text }) => text).join('')).toMatch(/Router edge|IP transit/)
        const lowestLine = Math.min(
          ...page.filter(({ text }) => /^Router edge|^IP transit/.test(text)).map(({ y }) => y),
        )
        const foot = page.slice(
          page.findIndex(({ text }) => /^(Registered in|登録)/.test(text) && !text.includes('番号')),
        )
        const footerTop = Math.max(
          ...page.filter((segment) => foot.includes(segment) && segment.y < 300).map(({ y }) => y),
        )
        expect(lowestLine).toBeGreaterThan(footerTop + 9)
        for (const { y } of page) expect(y).toBeGreaterThan(20)
      }
    }
  })

  test('stays on its sheet whatever people call themselves', async () => {
    const words = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom('\u202e0.00€', '株式会社'.repeat(50), 'שלום 123 '.repeat(20), 'ﷺ'.repeat(100), 'W'.repeat(200)),
    )
    const anybody = fc.record({ company: words, street: words, postalCode: words, city: words, vatId: words })
    const figures = (pages: ReturnType<typeof pagesOf>) =>
      pages.flat().flatMap(({ text }) => (/^(€[\d.,]+|720 h|\d{4}-\d\d-\d\d)$/.test(text) ? [text] : []))
    const plain = figures(pagesOf(await render(3)))
    await fc.assert(
      fc.asyncProperty(anybody, anybody, words, async (one, other, footer) => {
        const file = await invoicePdf({
          ...parts(3),
          invoice: { ...invoice, seller: { ...party, ...one, footer }, buyer: { ...party, ...other } },
        })
        const pages = pagesOf(file)
        for (const { x, y } of pages.flat()) {
          expect(x).toBeGreaterThan(55)
          expect(x).toBeLessThan(540)
          expect(y).toBeGreaterThan(20)
          expect(y).toBeLessThan(800)
        }
        expect(figures(pages)).toEqual(expect.arrayContaining(plain))
      }),
      { numRuns: 25 },
    )
  }, 60_000)
})
