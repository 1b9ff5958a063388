import PDFDocument from 'pdfkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pagesOf, type TextFragment } from './testing.ts'
import { parted } from './sara-am.ts'
import { heightOf, write, type TextStyle, type TextInput } from './write.ts'

/** Renders a document with only these texts; each starts where the last one ended. */
async function written(texts: readonly TextInput[], style: TextStyle = {}) {
  const margins = { top: 56, bottom: 20, left: 56, right: 56 }
  const pdf = new PDFDocument({ size: 'A4', margins, bufferPages: true, info: { CreationDate: new Date(0) } })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject))
  const ends = texts.map((words, index) => write(pdf, words, 56, 56 + index * 100, style))
  pdf.end()
  await done
  const file = Buffer.concat(chunks)
  return { file, ends, fragments: pagesOf(file).flat() }
}

const linesOf = (fragments: readonly TextFragment[]): string[] => {
  const lines = new Map<number, TextFragment[]>()
  for (const fragment of fragments) lines.set(fragment.y, [...(lines.get(fragment.y) ?? []), fragment])
  return [...lines.values()].map((line) =>
    line
      .toSorted((a, b) => a.x - b.x)
      .map(({ text }) => text)
      .join(''),
  )
}

const seen = async (words: TextInput, style: TextStyle = {}) => linesOf((await written([words], style)).fragments)
const reversed = (text: string) => Array.from(text).toReversed().join('')
const fontsIn = ({ file }: { file: Buffer }) => file.toString('latin1').match(/(?<=BaseFont \/)\S+/g) ?? []

describe('the letters on paper', () => {
  test.each([
    ['JP', '株式会社髙﨑ネットワーク', 'noto-sans-jp'],
    ['CN', '中国电信集团有限公司', 'noto-sans-sc'],
    ['SG', '新加坡电信', 'noto-sans-sc'],
    ['TW', '中華電信股份有限公司', 'noto-sans-tc'],
    ['HK', '香港寬頻有限公司', 'noto-sans-tc'],
    ['KR', '주식회사 케이티', 'noto-sans-kr'],
    ['DE', 'ほしのネット', 'noto-sans-jp'],
    ['TH', 'บริษัท โทรคมนาคมแห่งชาติ จำกัด', 'noto-sans-thai'],
    ['IN', 'भारत संचार निगम लिमिटेड क्षत्रिय', 'noto-sans-devanagari'],
  ])('letters of %s are those of %s, in the forms of that country', async (country, name, family) => {
    const paper = await written([name], { country, width: 480 })
    expect(linesOf(paper.fragments)).toEqual([name])
    const faces = fontsIn(paper).filter((face) => face.includes('noto-sans'))
    expect(faces.length).toBeGreaterThan(0)
    for (const face of faces) expect(face).toContain(family)
    expect(paper.file.length).toBeLessThan(40_000)
  })

  test('letters of Hebrew and Arabic stand from right to left', async () => {
    expect(await seen('בזק החברה')).toEqual([reversed('בזק החברה')])
    expect(await seen('شركة الاتصالات السعودية')).toEqual([reversed('شركة الاتصالات السعودية')])
    // The joiner that keeps two Persian letters apart is copied as well.
    expect(await seen('می‌خواهم')).toEqual([reversed('می‌خواهم')])
  })

  test('leave numbers and names of other scripts in their own order', async () => {
    expect(await seen('רחוב הרצל 12, דירה 345')).toEqual([`345 ${reversed('דירה')} ,12 ${reversed('רחוב הרצל')}`])
    expect(await seen('شارع الملك 123 ٤٥٦')).toEqual([`٤٥٦ 123 ${reversed('شارع الملك')}`])
    expect(await seen('משה (Moshe)')).toEqual([`(Moshe) ${reversed('משה')}`])
    expect(await seen('Router edge1, סוויפט 4')).toEqual([`Router edge1, 4 ${reversed('סוויפט')}`])
  })

  test('letters of an Arabic word are joined, and told apart from the same ones alone', async () => {
    const { file } = await written(['ععع', 'ع'])
    const glyphs = file
      .toString('latin1')
      .match(/(?<=W \[0 \[)[^\]]*/)?.[0]
      .split(' ')
    // The glyph for missing characters, and the letter's initial, medial, final and isolated forms.
    expect(glyphs).toHaveLength(5)
  })

  test('are set where their font says of some marks on them that they stand nowhere', async () => {
    for (const chars of ['ڢ', 'بڢب', 'ب\u0615ب', 'ب\u06d6ب', 'ݠ', 'ࢤ'])
      expect(await seen(chars)).toEqual([reversed(chars)])
  })

  test('pile up in the order in which they are read', async () => {
    // The shadda below its vowel, in whichever order they were typed; the tone above the ring of its vowel.
    const doubled = await seen('مَّ')
    expect(doubled).toEqual([reversed('م\u0651\u064e')])
    expect(await seen('م\u0651\u064e')).toEqual(doubled)
    expect(parted('น้ำคำ')).toBe('น\u0e4d\u0e49\u0e32คำ')
    expect(await seen('น้ำมันคำ')).toEqual(['น้ำมันคำ'])
  })

  test('letters of Europe use the built-in face or, for a whole name, ours', async () => {
    expect(fontsIn(await written(['Straße €5', 'Kestrel Networks GmbH']))).toEqual(['Helvetica'])
    for (const name of ['Łódź Žižek', 'Γιώργος Παπαδόπουλος', 'Дунав Хостинг ЕООД', 'Գործարան', 'თბილისი', 'Đặng'])
      expect(await seen(name)).toEqual([name.normalize('NFC')])
    const faces = fontsIn(await written(['Łódź 5']))
    expect(faces).toContainEqual(expect.stringContaining('DejaVuSans'))
  })

  test('letters that no face has are spelled out, or shown as the plainer ones that they are forms of', async () => {
    expect(await seen('Kestrel 🦄🚀 GmbH')).toEqual(['Kestrel [U+1F984 U+1F680] GmbH'])
    expect(await seen('ཀཁ 7')).toEqual(['[U+0F40 U+0F41] 7'])
    expect(await seen('𝐁old 日\ud83d')).toEqual(['Bold 日[U+FFFD]'])
  })

  test('letters chosen to need every face do not get them all', async () => {
    // One character in every hundred or so: as many slices as there are.
    const composed = Array.from({ length: 400 }, (_, index) => String.fromCodePoint(0x4e00 + index * 50))
    const rows = Array.from({ length: 4 }, (_, row) => composed.slice(row * 100, row * 100 + 100).join(''))
    const paper = await written(rows, { width: 480, country: 'JP' })
    expect(fontsIn(paper).filter((face) => face.includes('noto-sans')).length).toBeLessThanOrEqual(2 * 96)
    const [first] = linesOf(paper.fragments)
    expect(first).toContain('一')
    expect(linesOf(paper.fragments).join('')).toMatch(/U\+[4-9][0-9A-F]{3}\]/)
    // The next document starts with a fresh limit.
    expect(await seen('東京都', { country: 'JP' })).toEqual(['東京都'])
  })

  test('do not depend on what was set before', async () => {
    // The radical and the identical-looking character share an outline.
    await written(['\u2f00\u2f08 بتث'], { country: 'JP' })
    expect(await seen('一人', { country: 'JP' })).toEqual(['一人'])
    const one = await written(['ثتب', 'क्षि'])
    const again = await written(['ثتب', 'क्षि'])
    expect(one.file.equals(again.file)).toBe(true)
  })
})

describe('the lines on paper', () => {
  test('end where a script lets them, without spaces too, and never with what may not begin one', async () => {
    const japanese = await seen('千代田区富士見二丁目、飯田橋グラン・ブルーム「東棟」。'.repeat(4), {
      country: 'JP',
      width: 200,
    })
    expect(japanese.length).toBeGreaterThan(4)
    for (const line of japanese) expect(line).not.toMatch(/^[、。」・ー]/)
    const thai = await seen('กรุงเทพมหานคร'.repeat(6), { width: 150 })
    expect(thai.join('')).toBe('กรุงเทพมหานคร'.repeat(6))
    for (const line of thai) expect(line).not.toMatch(/^\p{M}/u)
  })

  test('keep to their width, to the edge at which they are set, and say how high they are', async () => {
    const text = 'שלום עולם 123, '.repeat(12) + '長'.repeat(60) + 'W'.repeat(200)
    for (const right of [false, true]) {
      const { fragments, ends } = await written([text], { width: 200, right })
      for (const { x } of fragments) {
        expect(x).toBeGreaterThanOrEqual(55.99)
        expect(x).toBeLessThan(256)
      }
      const lowest = Math.min(...fragments.map(({ y }) => y))
      expect(842 - ends[0]!).toBeLessThan(lowest)
      expect(842 - ends[0]!).toBeGreaterThan(lowest - 14)
    }
    const pdf = new PDFDocument({
      size: 'A4',
      margins: { top: 0, bottom: 0, left: 0, right: 0 },
      bufferPages: true,
      info: {},
    })
    for (const words of [text, 'plain words '.repeat(30), ['a', 'ב']])
      expect(heightOf(pdf, words, { width: 200 })).toBeCloseTo(write(pdf, words, 0, 100, { width: 200 }) - 100, 6)
  })

  test('stand on one height with those in the built-in face', async () => {
    const pdf = ['Amount', '金額', 'Ποσό', 'مبلغ'].map((word) => written([word]))
    const heights = (await Promise.all(pdf)).map(({ fragments }) => fragments[0]!.y)
    for (const height of heights) expect(height).toBeCloseTo(heights[0]!, 2)
  })

  test('keep parts that are beside each other in their order, whatever their script', async () => {
    expect(await seen(['בזק 1', 'Reg. 5', 'a@example.net'])).toEqual([`1 ${reversed('בזק')} · Reg. 5 · a@example.net`])
  })

  test('obey no letters that only steer', async () => {
    for (const control of ['\u202e', '\u2067', '\u200f', '\u061c', '\u2066', '\u202b', '\u2069'])
      expect(await seen(`12${control} Ω 34${control}`)).toEqual(['12 Ω 34'])
    expect(await seen(['a\u2069\u202e', 'Ω', 'b'])).toEqual(['a · Ω · b'])
    expect(await seen('Ω\n\t\r\u2028x\0\u0007')).toEqual(['Ω x'])
    expect(await seen('plain\u00ad\u202e words\u0000')).toEqual(['plain words'])
  })

  test('are made of any text at all, inside their edges', async () => {
    const char = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom('\ud800', '\udc00', '\u202e', '\u2067', '\u200d', '\u200c', '\0', '\n', '👩‍👩‍👧', '́', 'ि', '्'),
      fc.constantFrom(...Array.from('日本語한국어אבגابتไทยहिन्दी「」、。()12 ,Ωж')),
    )
    const texts = fc.oneof(fc.array(char, { maxLength: 40 }), fc.array(char, { minLength: 200, maxLength: 300 }))
    await fc.assert(
      fc.asyncProperty(texts, fc.boolean(), fc.constantFrom('JP', 'IL', null), async (chars, right, country) => {
        const { fragments, ends } = await written([chars.join('')], { width: 120, right, country })
        expect(Number.isFinite(ends[0])).toBe(true)
        for (const { x, text } of fragments) {
          expect(x).toBeGreaterThanOrEqual(55.9)
          expect(x).toBeLessThan(177)
          expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\p{Cs}]/u)
        }
      }),
      { numRuns: 40 },
    )
  }, 60_000)
})
