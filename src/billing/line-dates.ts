/** The days of UTC that a line of an invoice is for. */
const DAYS = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** `1–22 Nov 2026`; one day for what has a moment only. The end is excluded: a month that ends on the 1st at 00:00 has no 1st. */
export function lineDates(start: Date, end: Date): string {
  const last = new Date(Math.max(start.getTime(), end.getTime() - 1))
  // Releases of ICU differ in the spaces around the dash, and the fonts of paper lack the thin ones.
  return DAYS.formatRange(start, last).replace(/\s*–\s*/, '–')
}
