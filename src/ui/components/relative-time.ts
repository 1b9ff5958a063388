const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const words = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })

/** `3 min. ago`, `in 2 hr.`, `now`: the largest unit that fits, rounded towards now so that it never overstates. */
export function relativeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000
  const size = Math.abs(seconds)
  const [unit, length] = UNITS.find(([, least]) => size >= least) ?? ['second', 1]
  if (unit === 'second' && size < 10) return 'now'
  const count = Math.trunc(seconds / length)
  return words.format(count, unit).replace('.', '')
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

/** A configured length, in the largest unit that expresses it exactly: `3 days`, `36 hours`. */
export function inWords(seconds: number): string {
  const [unit, length] = UNITS.slice(2).find(([, least]) => seconds >= least && seconds % least === 0) ?? ['second', 1]
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length)
}

/** Created when first used: each costs a phone 5 to 20 ms. */
const formatter = (options: Intl.DateTimeFormatOptions): ((at: Date) => string) => {
  let made: Intl.DateTimeFormat | undefined
  return (at) => (made ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', ...options })).format(at)
}

/** With seconds and zone: the tip of a relative time. */
export const absoluteTime = formatter({ timeStyle: 'long' })

export const calendarDay = formatter({})
/** Dates that begin, end or are due by the day are UTC days, wherever the reader is. */
export const calendarDayOfUtc = formatter({ timeZone: 'UTC' })
