/**
 * `2026-11-24 10:45 UTC`: in emails and documents the zone of the reader is not known. A string is a time as `toISOString`
 * writes it, which is how JSON carries it.
 */
export const formatUtc = (at: Date | string): string =>
  `${(typeof at === 'string' ? at : at.toISOString()).slice(0, 16).replace('T', ' ')} UTC`
