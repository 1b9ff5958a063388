export interface NamedUser {
  readonly firstName: string
  readonly lastName: string
}

export const fullName = ({ firstName, lastName }: NamedUser): string => `${firstName} ${lastName}`.trim()

/** Users who signed up since then are recent: the start of yesterday, by the reader's own clock. */
export function startOfYesterday(now = new Date()): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).toISOString()
}
