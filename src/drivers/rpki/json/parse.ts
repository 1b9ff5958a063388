/**
 * Parses the JSON that validators export: Routinator (`json`, `jsonext`), rpki-client, Cloudflare's rpki.json, or a
 * bare list.
 */
import { parseAsn } from '../../../kernel/asn.ts'
import { tryParsePrefix } from '../../../kernel/prefix.ts'
import { isRecord, readAspas, type AspaTable } from '../aspa-table.ts'
import { toWords, VrpCollector, type VrpColumns } from '../vrp-columns.ts'
import { PrefixReader } from './prefix-reader.ts'
import { JsonReader, knownNames } from './reader.ts'

/** Share of rows that may be unreadable before the whole file is rejected. */
const TOLERATED = 0.01
/**
 * The limit for one row, and for any other value that is not a list: the longest rows name some dozens of sources or
 * providers.
 */
const MAX_ITEM_BYTES = 1024 * 1024

export interface VrpExport {
  readonly v4: VrpColumns
  readonly v6: VrpColumns
  readonly aspas: AspaTable | null
  readonly builtAt: Date | null
}

/** Throws an Error if this is not an export, or if too much of it cannot be read. */
export async function parseVrpExport(
  chunks: AsyncIterable<Uint8Array>,
  now: Date,
  maxItemBytes = MAX_ITEM_BYTES,
): Promise<VrpExport> {
  const json = new JsonReader(chunks, maxItemBytes)
  const rows = new RowReader(now)
  try {
    const rest = await readDocument(json, rows)
    await json.end()
    return { ...rows.columns(), aspas: readAspas(rest, now), builtAt: buildTime(rest.metadata) }
  } catch (error) {
    throw error instanceof SyntaxError ? new Error('the export is no JSON: perhaps it was cut off') : error
  }
}

/** Reads the rows, and returns the few other members as values. */
async function readDocument(json: JsonReader, rows: RowReader): Promise<Record<string, unknown>> {
  const rest: Record<string, unknown> = {}
  const readRows = async () => {
    if (rows.begun) throw new Error('the export has more than one list of VRPs')
    rows.begun = true
    await json.eachItem(() => rows.read(json))
  }
  const kind = await json.nextKind()
  if (kind === 'list') await readRows()
  else if (kind === 'object')
    await json.eachMember(async (name) => {
      const isList = (await json.nextKind()) === 'list'
      if (isList && (name === 'roas' || name === 'vrps')) return readRows()
      const value: unknown[] = []
      if (isList) await json.eachItem(() => value.push(json.value()))
      else json.bounded(() => value.push(json.value()))
      if (!['metadata', 'aspas', 'provider_authorizations'].includes(name)) return
      if (name in rest) throw new Error(`the export has "${name}" twice`)
      rest[name] = isList ? value : value[0]
    })
  else json.value()
  if (!rows.begun) throw new Error('this is no export of a validator: it has no list "roas"')
  return rest
}

const NAMES = knownNames('asn', 'prefix', 'maxLength', 'expires')

class RowReader {
  begun = false
  readonly #now: number
  readonly #collectors = { 4: new VrpCollector(4), 6: new VrpCollector(6) }
  readonly #prefix = new PrefixReader()
  #count = 0
  #unreadable = 0

  constructor(now: Date) {
    this.#now = now.getTime()
  }

  read(json: JsonReader): void {
    this.#count += 1
    if (!this.#readRow(json)) this.#unreadable += 1
  }

  columns(): Pick<VrpExport, 'v4' | 'v6'> {
    // With many rows missing, the rest would make honest routes invalid: no data is the lesser harm.
    if (this.#unreadable > this.#count * TOLERATED)
      throw new Error(`${this.#unreadable} of ${this.#count} rows of the export cannot be read`)
    return { v4: this.#collectors[4].columns(), v6: this.#collectors[6].columns() }
  }

  #readRow(json: JsonReader): boolean {
    let more = json.enterObject()
    if (more === null) {
      json.value()
      return false
    }
    let prefix: boolean | undefined
    let asn: number | null | undefined
    let maxLength: number | null | undefined
    let expires: unknown
    let twice = false
    for (; more; more = json.nextMember()) {
      switch (json.nameAmong(NAMES)) {
        case 'asn':
          twice ||= asn !== undefined
          asn = readAsn(json)
          break
        case 'prefix':
          twice ||= prefix !== undefined
          prefix = this.#readPrefix(json)
          break
        case 'maxLength':
          twice ||= maxLength !== undefined
          maxLength = json.wholeNumber() ?? numberOrNull(json.value())
          break
        case 'expires':
          twice ||= expires !== undefined
          expires = json.wholeNumber() ?? json.value()
          break
        case null:
          json.skip()
      }
    }
    const { family, words, length } = this.#prefix
    maxLength ??= length
    if (twice || !prefix || asn == null || !Number.isInteger(maxLength)) return false
    // rpki-client says until when the signatures over each VRP are valid.
    if (typeof expires === 'number' && expires * 1000 <= this.#now) return true
    return this.#collectors[family].add(words, length, maxLength, asn)
  }

  #readPrefix(json: JsonReader): boolean {
    const reader = this.#prefix
    if (json.plainString((bytes, start, end) => reader.read(bytes, start, end) || null)) return true
    const value = json.value()
    const prefix = typeof value === 'string' ? tryParsePrefix(value) : null
    if (!prefix) return false
    reader.family = prefix.family
    reader.length = prefix.length
    reader.words.set(toWords(prefix))
    return true
  }
}

function readAsn(json: JsonReader): number | null {
  const plain = json.wholeNumber() ?? json.plainString(readAsText)
  if (plain !== null) return plain
  const value = json.value()
  return typeof value === 'number' ? value : typeof value === 'string' ? parseAsn(value) : null
}

/** `AS64496`, as Routinator writes it. */
function readAsText(bytes: Uint8Array, start: number, end: number): number | null {
  if (bytes[start] !== 0x41 || bytes[start + 1] !== 0x53 || end - start < 3 || end - start > 12) return null
  let asn = 0
  for (let at = start + 2; at < end; at++) {
    const digit = bytes[at]! - 0x30
    if (digit < 0 || digit > 9) return null
    asn = asn * 10 + digit
  }
  return asn
}

/** NaN for a value of another type, which is an error; null counts as absent. */
const numberOrNull = (value: unknown): number | null =>
  value === null ? null : typeof value === 'number' ? value : Number.NaN

/** Routinator: `generated` in seconds; rpki-client: `buildtime` in text. */
function buildTime(metadata: unknown): Date | null {
  if (!isRecord(metadata)) return null
  const said = metadata.buildtime ?? metadata.generatedTime ?? metadata.generated
  const time = typeof said === 'number' ? new Date(said * 1000) : typeof said === 'string' ? new Date(said) : null
  return time && !Number.isNaN(time.getTime()) ? time : null
}
