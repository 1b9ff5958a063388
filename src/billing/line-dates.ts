/** The UTC dates that an invoice line covers. */
const DAYS = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/**
 * Formats as `1–22 Nov 2026`, or as one day for a single moment. The end is excluded: a month that ends on the 1st at
 * 00:00 does not include the 1st.
 */
export function lineDates(start: Date, end: Date): string {
  const last = new Date(Math.max(start.getTime(), end.getTime() - 1))
  // ICU releases differ in the spaces around the dash, and the PDF fonts lack the thin space.
  return DAYS.formatRange(start, last).replace(/\s*–\s*/, '–')
}
