/**
 * Formats a time as `2026-11-24 10:45 UTC`, for emails and documents, where the reader's time zone is unknown. A string
 * must have the form of `toISOString`, as in JSON.
 */
export const formatUtc = (at: Date | string): string =>
  `${(typeof at === 'string' ? at : at.toISOString()).slice(0, 16).replace('T', ' ')} UTC`
