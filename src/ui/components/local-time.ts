/** Between the border's moments and the field of a browser, which knows the reader's clock alone. */

/** `2026-11-21T06:00`; empty for none. */
export function toLocal(at: string | null): string {
  if (at === null) return ''
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export const fromLocal = (text: string): string | null => (text === '' ? null : new Date(text).toISOString())
