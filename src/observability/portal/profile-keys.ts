/**
 * A tab keeps its timings in session storage, one key each. This file is separate from the code that reads them, which
 * loads later.
 */
export const PREFIX = 'staff-tools:profile:'

export const profileKeys = (): string[] => Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))

export function clearProfiles(): void {
  for (const key of profileKeys()) sessionStorage.removeItem(key)
}
