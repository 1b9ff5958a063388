import { STATUS as INVOICE_STATUS } from '../../../billing/portal/billing-labels.ts'
import { STAGE_BADGE } from '../../../billing/portal/staff/money-labels.ts'
import { formatAsn } from '../../../kernel/asn.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { STATE_BADGE } from '../../../routers/portal/router-state-variants.ts'
import { STATUS_BADGE } from '../../../transit/portal/prefix-labels.ts'
import type { AuditData } from '../../../ui/components/audit-data.ts'

/** A change as a row to display. Other recorded data has a row too. */
export interface Change {
  readonly name: string
  /** Null if there was no value before. */
  readonly before: string | null
  readonly after: string | null
}

export interface Described {
  readonly changes: readonly Change[]
  readonly notes: readonly { readonly name: string; readonly value: string }[]
}

/** The labels that the screens of an object use for its states. */
const STATE_LABELS: Readonly<Record<string, Readonly<Record<string, { readonly label: string }>>>> = {
  prefix: STATUS_BADGE,
  billing: STAGE_BADGE,
  router: STATE_BADGE,
  invoice: INVOICE_STATUS,
}

/** `type` is that of the event's object. */
export function describeChange(data: AuditData, type = ''): Described {
  // Events about a state have `from` and `to`; those about a record have `before` and `after`.
  const { before, after, ...rest } = 'from' in data && 'to' in data ? stepped(data) : data
  const changed = before !== undefined || after !== undefined
  return {
    changes: changed ? changesOf(before, after, type) : [],
    notes: Object.entries(rest)
      .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
      .map(([name, value]) => ({
        name: formatValue(name),
        value: moneyOf(name, value, rest) ?? textOf(value) ?? 'none',
      })),
  }
}

/** Returns the most important change, for a list row; empty if the action says everything. */
export function summarize({ changes, notes }: Described): string {
  const [change] = changes
  if (change) {
    const more = changes.length > 1 ? `, and ${changes.length - 1} more` : ''
    return `${change.name === '' ? '' : `${change.name}: `}${change.before ?? 'nothing'} → ${change.after ?? 'nothing'}${more}`
  }
  return notes
    .slice(0, 3)
    .map(({ name, value }) => `${name}: ${value}`)
    .join(', ')
}

/** The most telling fields of an event, in display order, because the database does not preserve key order. */
const FIRST = [
  ['number', 'name', 'value', 'description', 'kind', 'percent'],
  [
    'amount',
    'total',
    'open',
    'oneOffPrice',
    'hourlyPrice',
    'monthlyPrice',
    'commitPrice',
    'overagePrice',
    'setupPrice',
  ],
].flat()
const LAST = ['currency']

function rankOf(name: string): number {
  const first = FIRST.indexOf(name)
  return first >= 0 ? first : LAST.includes(name) ? FIRST.length + 1 : FIRST.length
}

const MONEY = new Set(FIRST.slice(FIRST.indexOf('amount')))

/** Formats integers next to a currency as amounts in minor units. Old entries have no currency. */
function moneyOf(name: string, value: unknown, { currency }: AuditData): string | null {
  const isMoney = MONEY.has(name) && typeof value === 'number' && Number.isSafeInteger(value)
  return isMoney && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)
    ? formatMoney({ amount: value, currency })
    : null
}

const stepped = ({ from, to, ...rest }: AuditData): AuditData => ({ ...rest, before: from, after: to })

function changesOf(before: unknown, after: unknown, type: string): Change[] {
  const shown = (name: string, value: unknown): string | null => {
    if (name === 'asn' && typeof value === 'number') return formatAsn(value)
    return typeof value === 'string' ? (STATE_LABELS[type]?.[value]?.label ?? textOf(value)) : textOf(value)
  }
  if (!isRecord(before) && !isRecord(after)) return [{ name: '', before: shown('', before), after: shown('', after) }]
  const was = isRecord(before) ? before : {}
  const is = isRecord(after) ? after : {}
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((name) => ({ name: formatValue(name), before: shown(name, was[name]), after: shown(name, is[name]) }))
    .filter((change) => change.before !== change.after)
}

const isRecord = (value: unknown): value is AuditData =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `mayBeBilled` and `may_be_billed` are “may be billed”, and abbreviations keep their capitals. */
const formatValue = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replaceAll(/\b(asn|bfd|id|ip|irr|rpki|vat)\b/g, (short) => short.toUpperCase())

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (Array.isArray(value) && value.length === 0) return null
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return JSON.stringify(value)
}
