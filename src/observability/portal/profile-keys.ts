/** The timings that a tab keeps in its session storage, one key each. Apart from their reading, which comes later. */
export const PREFIX = 'staff-tools:profile:'

export const profileKeys = (): string[] => Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))

export function clearProfiles(): void {
  for (const key of profileKeys()) sessionStorage.removeItem(key)
}
