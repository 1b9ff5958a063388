/**
 * The JSON that validators export: Routinator (`json`, `jsonext`), rpki-client, Cloudflare's rpki.json, or a bare list.
 * A million rows: checked by hand, field by field.
 */
import { parseAsn } from '../../../kernel/asn.ts'
import { tryParsePrefix } from '../../../kernel/prefix.ts'
import { isRecord, readAspas, type AspaTable } from '../aspa-table.ts'
import { toWords, VrpCollector, type VrpColumns } from '../vrp-columns.ts'

/** Share of rows that may be unreadable before the whole file is refused. */
const TOLERATED = 0.01

export interface VrpExport {
  readonly v4: VrpColumns
  readonly v6: VrpColumns
  readonly aspas: AspaTable | null
  readonly builtAt: Date | null
}

/** Throws an Error in words when this is no export, or when much of it cannot be read. */
export function parseVrpExport(bytes: Uint8Array, now: Date): VrpExport {
  const document: unknown = parseJson(bytes)
  const list = Array.isArray(document) ? document : isRecord(document) ? (document.roas ?? document.vrps) : null
  if (!Array.isArray(list)) throw new Error('this is no export of a validator: it has no list "roas"')
  const collectors = { 4: new VrpCollector(4, list.length + 1), 6: new VrpCollector(6) }
  let unreadable = 0
  for (const row of list as unknown[]) if (!addRow(collectors, row, now)) unreadable += 1
  // With many rows missing, what is left would call honest routes invalid: no data is the lesser harm.
  if (unreadable > list.length * TOLERATED)
    throw new Error(`${unreadable} of ${list.length} rows of the export cannot be read`)
  const metadata = isRecord(document) && isRecord(document.metadata) ? document.metadata : {}
  return {
    v4: collectors[4].columns(),
    v6: collectors[6].columns(),
    aspas: readAspas(document, now),
    builtAt: buildTime(metadata),
  }
}

function addRow(collectors: Record<4 | 6, VrpCollector>, row: unknown, now: Date): boolean {
  if (!isRecord(row) || typeof row.prefix !== 'string') return false
  const prefix = tryParsePrefix(row.prefix)
  const asn = typeof row.asn === 'number' ? row.asn : typeof row.asn === 'string' ? parseAsn(row.asn) : null
  const maxLength = row.maxLength ?? prefix?.length
  if (!prefix || asn === null || typeof maxLength !== 'number' || !Number.isInteger(maxLength)) return false
  // rpki-client says until when the signatures over each VRP hold.
  if (typeof row.expires === 'number' && row.expires * 1000 <= now.getTime()) return true
  return collectors[prefix.family].add(toWords(prefix), prefix.length, maxLength, asn)
}

/** Routinator: `generated` in seconds; rpki-client: `buildtime` in text. */
function buildTime(metadata: Record<string, unknown>): Date | null {
  const said = metadata.buildtime ?? metadata.generatedTime ?? metadata.generated
  const time = typeof said === 'number' ? new Date(said * 1000) : typeof said === 'string' ? new Date(said) : null
  return time && !Number.isNaN(time.getTime()) ? time : null
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Error('the export is no JSON: perhaps it was cut off')
  }
}
