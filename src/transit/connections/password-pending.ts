import { conflict } from '../../kernel/problem.ts'

/** Throws while the edge tries a new MD5 key, because the old key to return to must not change meanwhile. */
export function requireNonePending(row: { readonly password_pending_until: Date | null }): void {
  if (row.password_pending_until !== null)
    throw conflict('The edge is trying the new MD5 key. Wait until it is kept or returned, or cancel it.')
}
