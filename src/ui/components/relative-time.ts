/*
 * Times and dates without Intl: the portal has one language, and the first use of Intl takes a browser 25 to 30 ms on
 * a fast machine, before anything is drawn.
 */
const UNITS = [
  ['yr', 31_557_600],
  ['mo', 2_629_800],
  ['day', 86_400],
  ['hr', 3_600],
  ['min', 60],
  ['sec', 1],
] as const

/** `3 min ago`, `in 2 hr`, `now`: the largest unit that fits, rounded towards now so that it never overstates. */
export function relativeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000
  const size = Math.abs(seconds)
  if (size < 10) return 'now'
  const [unit, length] = UNITS.find(([, least]) => size >= least)!
  const count = Math.trunc(size / length)
  const words = `${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''}`
  return seconds < 0 ? `${words} ago` : `in ${words}`
}

/** How long something took or has lasted: `0.4 s`, `42 s`, `3 min 5 s`, `2 h 10 min`, `12 d 4 h`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  const pair = (large: number, largeUnit: string, small: number, smallUnit: string) =>
    small > 0 ? `${large} ${largeUnit} ${small} ${smallUnit}` : `${large} ${largeUnit}`
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return pair(Math.floor(whole / 60), 'min', whole % 60, 's')
  if (whole < 86_400) return pair(Math.floor(whole / 3_600), 'h', Math.floor((whole % 3_600) / 60), 'min')
  return pair(Math.floor(whole / 86_400), 'd', Math.floor((whole % 86_400) / 3_600), 'h')
}

/** Dates that begin, end or are due by the day are UTC days, wherever the reader is. */
export const calendarDayOfUtc = (at: Date): string =>
  // ECMA-262 fixes the form, `Thu, 03 Sep 2026 01:02:03 GMT`. British English shortens September as Intl does elsewhere.
  at.toUTCString().slice(5, 16).replace(/^0/, '').replace('Sep', 'Sept')
/** Reads the reader's clock as if it were UTC. */
const asLocal = (at: Date): Date => new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
export const calendarDay = (at: Date): string => calendarDayOfUtc(asLocal(at))
/** `16:39:02` */
export const clockTime = (at: Date): string => asLocal(at).toUTCString().slice(17, 25)

/** The tip of a relative time, with the reader's distance from UTC: `24 Nov 2026, 16:39:02 UTC+01:00`. */
export const absoluteTime = (at: Date): string =>
  `${calendarDay(at)}, ${clockTime(at)} UTC${distance(-at.getTimezoneOffset())}`

const distance = (minutes: number): string =>
  minutes === 0 ? '' : `${minutes < 0 ? '-' : '+'}${new Date(Math.abs(minutes) * 60_000).toUTCString().slice(17, 22)}`
