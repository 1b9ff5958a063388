export interface NamedUser {
  readonly firstName: string
  readonly lastName: string
}

export const fullName = ({ firstName, lastName }: NamedUser): string => `${firstName} ${lastName}`.trim()

/** Returns the start of yesterday in the reader's time zone. Users who signed up since then are recent. */
export function startOfYesterday(now = new Date()): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).toISOString()
}
