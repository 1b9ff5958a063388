const two = (value: number): string => String(value).padStart(2, '0')

/** `yyyy-MM-dd h:mm:ss` by the reader's clock, the format that the bar is specified with: twelve hours, no half of the day. */
export function barTime(at: Date): string {
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${at.getHours() % 12 || 12}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** `0.4 ms`, `12 ms`, `1.25 s`. */
export function barDuration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`
}
