/** Converts PostgreSQL's values to JavaScript for one pool; the driver's global table stays unchanged. */
import pg from 'pg'

const { builtins } = pg.types

const INT8_ARRAY = 1016
const DATE_ARRAY = 1182
const TIMESTAMP_ARRAY = 1115

const asText = (text: string): string => text

/**
 * A wrong identifier or amount is worse than a failed query, so a value that does not fit is rejected, never rounded.
 */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`The number ${text} does not fit a JavaScript number exactly: select it as text.`)
  }
  return value
}

const parseAnyInstant: (text: string) => Date = pg.types.getTypeParser(builtins.TIMESTAMPTZ)

/** JavaScript parses the format of a UTC session, `2026-03-29 10:00:00.25+00`, natively, in a third of the time. */
const parseInstant = (text: string): Date =>
  text[4] === '-' && text.endsWith('+00') ? new Date(text) : parseAnyInstant(text)

const parseTextArray: (text: string) => (string | null)[] = pg.types.getTypeParser(1009 as number)

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [builtins.INT8, parseInt8],
  [INT8_ARRAY, (text) => parseTextArray(text).map((item) => (item === null ? null : parseInt8(item)))],
  // A date is not an instant: as a Date it would shift by a day in some time zones of the process.
  [builtins.DATE, asText],
  [DATE_ARRAY, parseTextArray],
  [builtins.TIMESTAMP, asText],
  [TIMESTAMP_ARRAY, parseTextArray],
  [builtins.TIMESTAMPTZ, parseInstant],
])

/**
 * Parses int8 as a number, or fails if it is not exact; `date`, zoneless times and numeric as text; timestamptz as
 * Date.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : PARSERS.get(oid)) ??
    pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}
