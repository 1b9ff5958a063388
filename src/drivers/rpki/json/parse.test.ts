import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAsn } from '../../../kernel/asn.ts'
import { familyBits, formatPrefix, networkMask, tryParsePrefix, type Prefix } from '../../../kernel/prefix.ts'
import { isRecord, readAspas } from '../aspa-table.ts'
import { fromWords, toWords, VrpCollector, wordsPer, type VrpColumns } from '../vrp-columns.ts'
import { parseVrpExport, type VrpExport } from './parse.ts'
import { PrefixReader } from './prefix-reader.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const SECONDS = NOW.getTime() / 1000

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = (text: string | Uint8Array, longest?: number, chunk = 1 << 20): Promise<VrpExport> =>
  parseVrpExport(inChunks(typeof text === 'string' ? bytesOf(text) : text, chunk), NOW, longest)

const listOf = ({ family, count, words, lengths, maxLengths, asns }: VrpColumns): string[] =>
  Array.from({ length: count }, (_, row) => {
    const prefix = fromWords(family, words, row * wordsPer(family), lengths[row]!)
    return `${formatPrefix(prefix)}-${maxLengths[row]} AS${asns[row]}`
  })

const view = ({ v4, v6, aspas, builtAt }: VrpExport) => ({
  vrps: [...listOf(v4), ...listOf(v6)],
  aspas: aspas && [...aspas],
  builtAt,
})

/** Parses an export with JSON.parse and checks each row. */
function byJsonParse(bytes: Uint8Array): VrpExport {
  const document: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  const list = Array.isArray(document) ? document : isRecord(document) ? (document.roas ?? document.vrps) : null
  if (!Array.isArray(list)) throw new Error('no list')
  const collectors = { 4: new VrpCollector(4), 6: new VrpCollector(6) }
  const readRow = (row: unknown): boolean => {
    if (!isRecord(row) || typeof row.prefix !== 'string') return false
    const prefix = tryParsePrefix(row.prefix)
    const asn = typeof row.asn === 'number' ? row.asn : typeof row.asn === 'string' ? parseAsn(row.asn) : null
    const maxLength = row.maxLength ?? prefix?.length
    if (!prefix || asn === null || typeof maxLength !== 'number' || !Number.isInteger(maxLength)) return false
    if (typeof row.expires === 'number' && row.expires <= SECONDS) return true
    return collectors[prefix.family].add(toWords(prefix), prefix.length, maxLength, asn)
  }
  const unreadable = list.filter((row) => !readRow(row)).length
  if (unreadable > list.length * 0.01) throw new Error('unreadable')
  const said = isRecord(document) && isRecord(document.metadata) ? document.metadata.generated : undefined
  const builtAt = typeof said === 'number' ? new Date(said * 1000) : typeof said === 'string' ? new Date(said) : null
  return {
    v4: collectors[4].columns(),
    v6: collectors[6].columns(),
    aspas: readAspas(document, NOW),
    builtAt: builtAt && !Number.isNaN(builtAt.getTime()) ? builtAt : null,
  }
}

const prefix = fc
  .record({
    family: fc.constantFrom(4 as const, 6 as const),
    bits: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
    length: fc.nat(128),
  })
  .map(({ family, bits, length: any }): Prefix => {
    const length = any % (familyBits(family) + 1)
    return { family, length, network: (bits >> BigInt(128 - familyBits(family))) & networkMask(family, length) }
  })

/** As validators write it, and other possible forms. */
const prefixText = fc.tuple(prefix, fc.nat(5)).map(([value, form]) => {
  const text = formatPrefix(value)
  if (form === 0) return text.toUpperCase()
  if (form === 1) return ` ${text}`
  if (form !== 2 || value.family === 4) return text
  const groups = Array.from({ length: 8 }, (_, at) => ((value.network >> BigInt(112 - 16 * at)) & 0xffffn).toString(16))
  return `${groups.join(':')}/${value.length}`
})
const asn = fc
  .nat(4_294_967_295)
  .chain((number) => fc.constantFrom(number, `AS${number}`, String(number), `as${number}`))
/** Names that no single change turns into a known one. */
const strange = fc.array(fc.tuple(fc.constantFrom('ta', 'x-source', 'x-été'), fc.jsonValue({ maxDepth: 2 })), {
  maxLength: 2,
})

/** Members in the order in which they were written. */
class Members {
  readonly list: readonly (readonly [string, unknown])[]
  constructor(list: readonly (readonly [string, unknown])[]) {
    this.list = list
  }
}
const members = (known: fc.Arbitrary<readonly (readonly [string, unknown])[]>) =>
  fc
    .tuple(known, strange)
    .chain(([a, b]) => fc.shuffledSubarray([...a, ...b], { minLength: a.length + b.length }))
    .map((list) => new Members(list))
const row = members(
  fc
    .record({
      prefix: prefixText,
      asn,
      maxLength: fc.option(fc.constantFrom(24, 32, 48, 128, 33.5, 1e2), { nil: undefined }),
      expires: fc.option(fc.constantFrom(SECONDS - 1, SECONDS + 0.5, 1_999_999_999, 'soon', 1e12), { nil: undefined }),
    })
    .map((record) => Object.entries(record).filter(([, value]) => value !== undefined)),
)
const aspa = fc.record({ customer_asid: fc.nat(9), providers: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }) })
const document = fc.tuple(fc.array(row, { maxLength: 12 }), fc.nat(4)).chain(([rows, form]) =>
  form === 0
    ? fc.constant<unknown>(rows)
    : members(
        fc
          .record({
            aspas: fc.array(aspa, { maxLength: 3 }),
            generated: fc.constantFrom<unknown>(SECONDS, NOW.toISOString(), null),
          })
          .map(({ aspas, generated }) => [
            [form === 1 ? 'vrps' : 'roas', rows],
            ['metadata', { generated }],
            ...(form === 2 ? [] : [['aspas', aspas] as const]),
          ]),
      ),
)

/** Any way to write a value as JSON: `noise` chooses white space and escapes. */
function write(value: unknown, noise: () => number): string {
  const space = (): string => ['', '', '', ' ', '\n\t'][noise() % 5]!
  const string = (text: string): string =>
    noise() % 4 > 0
      ? JSON.stringify(text)
      : `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
  const around = (open: string, parts: string[], close: string): string =>
    `${open}${parts.map((part) => `${space()}${part}${space()}`).join(',')}${close}`
  if (Array.isArray(value))
    return around(
      '[',
      value.map((item) => write(item, noise)),
      ']',
    )
  if (value instanceof Members || isRecord(value)) {
    const list = value instanceof Members ? value.list : Object.entries(value)
    return around(
      '{',
      list.map(([name, item]) => `${string(name)}${space()}:${space()}${write(item, noise)}`),
      '}',
    )
  }
  return typeof value === 'string' ? string(value) : JSON.stringify(value)
}

const written = fc.tuple(document, fc.array(fc.nat(19), { minLength: 1, maxLength: 40 })).map(([value, choices]) => {
  let at = 0
  return write(value, () => choices[at++ % choices.length]!)
})

const answerOf = async (make: () => VrpExport | Promise<VrpExport>) => {
  try {
    return view(await make())
  } catch {
    return 'refused'
  }
}

describe('an export read from bytes', () => {
  it('says what JSON.parse makes of it, in whatever order, white space and escapes it is written', async () => {
    await fc.assert(
      fc.asyncProperty(written, fc.integer({ min: 1, max: 99 }), async (text, chunk) => {
        const bytes = bytesOf(text)
        expect(await answerOf(() => read(bytes, undefined, chunk))).toEqual(await answerOf(() => byJsonParse(bytes)))
      }),
      { numRuns: 300 },
    )
  })

  it('is refused when a change has made it no JSON, and otherwise says what JSON.parse makes of it', async () => {
    const change = fc.record({
      kind: fc.constantFrom('cut off', 'without a byte', 'with another byte', 'with one more'),
      at: fc.nat(),
      byte: fc.oneof(fc.constantFrom(...bytesOf('{}[]",:\\-+.0e1 ')), fc.nat(255)),
    })
    await fc.assert(
      fc.asyncProperty(written, change, async (text, { kind, at: any, byte }) => {
        const bytes = bytesOf(text)
        const at = any % bytes.length
        const changed = Buffer.concat([
          bytes.subarray(0, at),
          ...(kind === 'with another byte' || kind === 'with one more' ? [Uint8Array.of(byte)] : []),
          ...(kind === 'cut off' ? [] : [bytes.subarray(kind === 'with one more' ? at : at + 1)]),
        ])
        expect(await answerOf(() => read(changed))).toEqual(await answerOf(() => byJsonParse(changed)))
      }),
      { numRuns: 1000 },
    )
  })

  it('is the same however it is cut into chunks, with no more in hand than a few rows', async () => {
    const rows = Array.from({ length: 60 }, (_, at) =>
      at % 3 === 0
        ? `{ "asn": ${at}, "prefix": "45.30.${at}.0/24", "maxLength": 24, "ta": "ripe" }`
        : `{"maxLength":48,"prefix":"2d10:${at}::\\u002f32","source":[{"uri":"[\\"}"}],"asn":"AS${at}"}`,
    )
    const text = `{"metadata":{"generated":1},"roas":[${rows.join(',\n')}],"routerKeys":[{}],"aspas":[]} \n`
    const whole = view(await read(text))
    expect(whole.vrps).toHaveLength(60)
    for (let chunk = 1; chunk < 120; chunk += 7) expect(view(await read(text, 100, chunk))).toEqual(whole)
  })
})

describe('an export is refused', () => {
  const good = '{"asn":1,"prefix":"45.0.0.0/8","maxLength":24}'
  it.each([
    ['an empty file', '', /no JSON/],
    ['white space alone', ' \n', /no JSON/],
    ['cut off within a row', '{"roas":[{"asn":1,"pre', /no JSON/],
    ['cut off behind a row', `{"roas":[${good}`, /no JSON/],
    ['cut off before the last bracket', `{"roas":[${good}]`, /no JSON/],
    ['more behind its end', `{"roas":[${good}]}}`, /no JSON/],
    ['a comma too many', `{"roas":[${good},]}`, /no JSON/],
    ['a name without quotes', '{"roas":[{asn:1}]}', /no JSON/],
    ['a control character in a string', `{"roas":[{"ta":"\u0001","asn":1,"prefix":"45.0.0.0/8"}]}`, /no JSON/],
    ['a number with a leading zero', '{"roas":[{"asn":01,"prefix":"45.0.0.0/8"}]}', /no JSON/],
    ['damage in what is not looked at', `{"roas":[${good}],"bgpsec_keys":[{"ski":tru}]}`, /no JSON/],
    ['two lists', `{"roas":[${good}],"vrps":[]}`, /more than one list of VRPs/],
    ['the same list twice', `{"roas":[],"roas":[${good}]}`, /more than one list of VRPs/],
    ['the same member twice', `{"roas":[${good}],"aspas":[],"aspas":[]}`, /"aspas" twice/],
    ['a number', '5', /no list "roas"/],
    ['no list', '{"roas":{}}', /no list "roas"/],
    ['a name twice in a row', '{"roas":[{"asn":1,"prefix":"45.0.0.0/8","asn":2}]}', /1 of 1 rows/],
    ['a row that is no object', '{"roas":[5]}', /1 of 1 rows/],
    ['a length that IPv4 does not have', '{"roas":[{"asn":1,"prefix":"45.0.0.0/33"}]}', /1 of 1 rows/],
    ['host bits', '{"roas":[{"asn":1,"prefix":"45.0.0.1/24"}]}', /1 of 1 rows/],
    ['a maxLength below the length', '{"roas":[{"asn":1,"prefix":"45.0.0.0/8","maxLength":7}]}', /1 of 1 rows/],
    ['a maxLength of another type', '{"roas":[{"asn":1,"prefix":"45.0.0.0/8","maxLength":"8"}]}', /1 of 1 rows/],
    ['an ASN of more than 32 bits', '{"roas":[{"asn":4294967296,"prefix":"45.0.0.0/8"}]}', /1 of 1 rows/],
    ['such an ASN as text', '{"roas":[{"asn":"AS4294967296","prefix":"45.0.0.0/8"}]}', /1 of 1 rows/],
    ['a negative ASN', '{"roas":[{"asn":-1,"prefix":"45.0.0.0/8"}]}', /1 of 1 rows/],
    ['no ASN', '{"roas":[{"asn":null,"prefix":"45.0.0.0/8"}]}', /1 of 1 rows/],
  ])('an export is refused for %s', async (_what, text, reason) => {
    await expect(read(text)).rejects.toThrow(reason)
  })

  it('an export is refused for bytes that are no UTF-8, also where nothing is looked at', async () => {
    const bytes = bytesOf(`{"roas":[{"ta":"?","asn":1,"prefix":"45.0.0.0/8"}]}`)
    bytes[bytes.indexOf(0x3f)] = 0xff
    await expect(read(bytes)).rejects.toThrow(/no JSON/)
  })

  it('an export is refused for a value that is longer than a row may be, wherever it stands, and not for one that is just as long', async () => {
    const row = (size: number) => `{"asn":1,"prefix":"45.0.0.0/8","ta":"${'x'.repeat(size - 39)}"}`
    expect(row(1000)).toHaveLength(1000)
    expect((await read(`[${row(1000)}]`, 1000)).v4.count).toBe(1)
    for (const text of [
      `[${row(1001)}]`,
      `{"roas":[],"x":[${row(1001)}]}`,
      `{"x":${row(1001)},"roas":[]}`,
      `["${'x'.repeat(9000)}`,
    ])
      await expect(read(text, 1000)).rejects.toThrow(/longer than 1000 bytes/)
  })
})

describe('a prefix in bytes', () => {
  const reader = new PrefixReader()
  const asRead = (text: string): Prefix | null => {
    const bytes = bytesOf(`"${text}"`)
    if (!reader.read(bytes, 1, bytes.length - 1)) return null
    return fromWords(reader.family, reader.words, 0, reader.length)
  }

  it('is read in the form in which validators write it', () => {
    fc.assert(
      fc.property(prefix, (value) => {
        expect(asRead(formatPrefix(value))).toEqual(value)
      }),
      { numRuns: 1000 },
    )
  })

  it('is what the kernel reads in any text, or left to it', () => {
    const pieces = fc.constantFrom(
      ':',
      '::',
      '.',
      '/',
      '0',
      '1',
      '10',
      '255',
      '256',
      'ffff',
      'a',
      '32',
      '128',
      '129',
      '00',
      ' ',
      'g',
    )
    const text = fc.oneof(
      fc.array(pieces, { maxLength: 18 }).map((parts) => parts.join('')),
      fc
        .tuple(prefixText, fc.nat(50), pieces)
        .map(([whole, at, piece]) => whole.slice(0, at) + piece + whole.slice(at + 1)),
    )
    fc.assert(
      fc.property(text, (any) => {
        const found = asRead(any)
        if (found) expect(found).toEqual(tryParsePrefix(any))
      }),
      { numRuns: 5000 },
    )
  })
})
