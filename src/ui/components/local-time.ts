/** Converts between the API's times and a browser's field, which only knows the reader's time zone. */

/** `2026-11-21T06:00`; empty for none. */
export function toLocal(at: string | null): string {
  if (at === null) return ''
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export const fromLocal = (text: string): string | null => (text === '' ? null : new Date(text).toISOString())
