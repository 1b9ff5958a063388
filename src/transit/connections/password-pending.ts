import { conflict } from '../../kernel/problem.ts'

/** Throws while the edge uses a new MD5 key on trial: which one would be the old one is not to be changed then. */
export function requireNonePending(row: { readonly password_pending_until: Date | null }): void {
  if (row.password_pending_until !== null)
    throw conflict('The edge is trying the new MD5 key. Wait until it is kept or returned, or cancel it.')
}
