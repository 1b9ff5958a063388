/** `2026-11-24 10:45 UTC`: in emails and documents the zone of the reader is not known. */
export const formatUtc = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
