const two = (value: number): string => String(value).padStart(2, '0')

/**
 * Formats `yyyy-MM-dd h:mm:ss` in the reader's time zone, as the bar's specification requires: a 12-hour clock without
 * AM or PM.
 */
export function barTime(at: Date): string {
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${at.getHours() % 12 || 12}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** Formats a duration as `0.4 ms`, `12 ms` or `1.25 s`. */
export function barDuration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`
}
