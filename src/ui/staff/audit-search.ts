/** What narrows the trail, as the address says it: each part can be linked to. */

export interface AuditSearch {
  readonly actor?: number
  readonly user?: number
  readonly subjectType?: string
  readonly subjectId?: number
  readonly action?: string
  /** Days of the reader's own calendar, both included. */
  readonly from?: string
  readonly to?: string
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** What does not fit is left out. */
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

/** As the border takes it. */
export function auditQuery({ from, to, ...rest }: AuditSearch, search: string) {
  return {
    ...rest,
    ...momentOf('from', from, 0),
    ...momentOf('to', to, 1),
    ...(search === '' ? {} : { search: search.slice(0, 100) }),
  }
}

/** The beginning of a day, or of one of those after it, by the reader's own clock. */
function momentOf<N extends string>(name: N, day: string | undefined, later: number): { [K in N]?: string } {
  if (day === undefined) return {}
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const at = new Date(year, month - 1, date + later)
  return (Number.isNaN(at.getTime()) ? {} : { [name]: at.toISOString() }) as { [K in N]?: string }
}
