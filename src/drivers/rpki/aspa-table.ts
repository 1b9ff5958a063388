/**
 * Reads ASPA objects from a validator's JSON: `aspas` of rpki-client from 8.5, Routinator from 0.13 and Cloudflare,
 * `provider_authorizations` of rpki-client 8.0 to 8.4 and StayRTR 0.5.
 */
import { parseAsn } from '../../kernel/asn.ts'

/**
 * Providers by customer, in ascending order; an empty list if the customer signed AS0, which means that it has no
 * provider.
 */
export type AspaTable = ReadonlyMap<number, readonly number[]>

/** The longest list of 2026 has 230. */
const MAX_PROVIDERS = 10_000
/** Share of rows that may be unreadable: each one that is lost is a rejection less. */
const TOLERATED = 0.01

/**
 * Returns null if the document has no ASPA objects, or too many that cannot be read: a missing object then means
 * nothing.
 */
export function readAspas(document: unknown, now: Date): AspaTable | null {
  const rows = rowsOf(document)
  if (!rows) return null
  const table = new Map<number, readonly number[]>()
  let unreadable = 0
  for (const row of rows) {
    const aspa = readRow(row)
    if (!aspa) unreadable += 1
    else if (aspa.expires === null || aspa.expires * 1000 > now.getTime())
      // Several objects of one customer are combined.
      table.set(aspa.customer, [...(table.get(aspa.customer) ?? []), ...aspa.providers])
  }
  if (unreadable > rows.length * TOLERATED) return null
  for (const [customer, providers] of table) {
    const sorted = [...new Set(providers)].toSorted((a, b) => a - b)
    // AS0 means "none", and has no meaning next to a real provider.
    table.set(
      customer,
      sorted.filter((asn) => asn !== 0 && asn !== customer),
    )
  }
  return table
}

function rowsOf(document: unknown): readonly unknown[] | null {
  if (!isRecord(document)) return null
  if (Array.isArray(document.aspas)) return document.aspas as unknown[]
  const { provider_authorizations: old } = document
  if (!isRecord(old)) return null
  const families = [old.ipv4, old.ipv6].filter((list) => Array.isArray(list))
  return families.length === 0 ? null : families.flat()
}

function readRow(row: unknown): { customer: number; providers: number[]; expires: number | null } | null {
  if (!isRecord(row) || !Array.isArray(row.providers) || row.providers.length > MAX_PROVIDERS) return null
  const customer = readAsn(row.customer_asid ?? row.customer)
  const providers = row.providers.map(readAsn)
  if (customer === null || customer === 0 || providers.length === 0 || providers.includes(null)) return null
  return {
    customer,
    providers: providers as number[],
    expires: typeof row.expires === 'number' ? row.expires : null,
  }
}

/** Routinator writes `AS559`, the others 559. */
const readAsn = (value: unknown): number | null =>
  typeof value === 'number' || typeof value === 'string' ? parseAsn(String(value)) : null

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
