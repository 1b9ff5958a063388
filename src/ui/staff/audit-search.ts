/** The filters of the audit log in the address, so that each can be linked to. */

export interface AuditSearch {
  readonly actor?: number
  readonly user?: number
  readonly subjectType?: string
  readonly subjectId?: number
  readonly action?: string
  /** Days in the reader's time zone, both included. */
  readonly from?: string
  readonly to?: string
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Invalid filters are left out. */
export function auditSearch(raw: Record<string, unknown>): AuditSearch {
  return {
    ...numbered(raw, 'actor'),
    ...numbered(raw, 'user'),
    ...numbered(raw, 'subjectId'),
    ...worded(raw, 'subjectType', /^[a-z_]{1,60}$/),
    ...worded(raw, 'action', /^[a-z_.]{1,60}$/),
    ...worded(raw, 'from', DAY),
    ...worded(raw, 'to', DAY),
  }
}

function numbered<N extends string>(raw: Record<string, unknown>, name: N): { [K in N]?: number } {
  const value = Number(raw[name])
  const fits = raw[name] !== '' && Number.isSafeInteger(value) && value > 0
  return (fits ? { [name]: value } : {}) as { [K in N]?: number }
}

function worded<N extends string>(raw: Record<string, unknown>, name: N, shape: RegExp): { [K in N]?: string } {
  const value = raw[name]
  return (typeof value === 'string' && shape.test(value) ? { [name]: value } : {}) as { [K in N]?: string }
}

/** Converts the filters to the API's query. */
export function auditQuery({ from, to, ...rest }: AuditSearch, search: string) {
  return {
    ...rest,
    ...momentOf('from', from, 0),
    ...momentOf('to', to, 1),
    ...(search === '' ? {} : { search: search.slice(0, 100) }),
  }
}

/** Returns the start of a day, or of a day after it, in the reader's time zone. */
function momentOf<N extends string>(name: N, day: string | undefined, later: number): { [K in N]?: string } {
  if (day === undefined) return {}
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const at = new Date(year, month - 1, date + later)
  return (Number.isNaN(at.getTime()) ? {} : { [name]: at.toISOString() }) as { [K in N]?: string }
}
