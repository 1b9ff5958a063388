/** Recognizes errors that mean that the database cannot work now: the request is valid and may be repeated. */

/** The codes of a full disk: PostgreSQL's `disk_full` (53100) and the system's own. */
const FULL: ReadonlySet<string> = new Set(['53100', 'ENOSPC'])

/**
 * Shutting down, starting or crashed, out of connections, no connection (class 08), a write to a standby that is not
 * promoted (25006):
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const POSTGRESQL = ['57P01', '57P02', '57P03', '53300', '08000', '08001', '08003', '08004', '08006', '25006']
const SOCKET = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']
const UNAVAILABLE: ReadonlySet<string> = new Set([...POSTGRESQL, ...SOCKET])

/** Messages of `pg` for a broken connection, which have no code. */
const BROKEN: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
])

/** The connection broke during a `commit` that the server may or may not have carried out. */
export class CommitUnanswered extends Error {
  override readonly name = 'CommitUnanswered'
  constructor(cause: unknown) {
    super('The connection broke before the database said whether the transaction is committed.', { cause })
  }
}

export function isDiskFull(error: unknown): boolean {
  return FULL.has(codeOf(error) ?? '')
}

export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined) return error instanceof Error && BROKEN.has(error.message)
  // The socket of a local server that is not running. Any other missing file is our bug.
  return UNAVAILABLE.has(code) || (code === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect')
}

/** Returns the SQLSTATE of PostgreSQL, or the error code of the system. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
