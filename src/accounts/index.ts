/** Accounts, as the later slices and the application may call them. */
import type { Reconciler } from '../platform/reconcile.ts'
import type { AccountsDeps, Sender } from './deps.ts'
import { housekeepingReconciler } from './housekeeping.ts'
import { passwordResetReconciler } from './password-reset.ts'

/** What the worker has to run for accounts: mails for forgotten passwords, and removing what is stale. */
export const accountsReconcilers = (deps: Sender & Pick<AccountsDeps, 'db' | 'clock'>): Reconciler[] => [
  passwordResetReconciler(deps),
  housekeepingReconciler(deps),
]

export type { AccountsDeps } from './deps.ts'
export { accountsApi } from './contract.ts'
export { accountsRoutes } from './routes.ts'
export { createAuthenticate } from './sessions.ts'
export { readStanding, writeStanding, type Standing } from './standing.ts'
export { claimAsn, readAsnHolding, type AsnHolding } from './asn-holding.ts'
export { asnVerificationLink, asnVerificationLinks, vouchForAsn } from './asn-verification.ts'
export { listSshKeys } from './ssh-keys.ts'
export { readCurrentUser } from './users.ts'
export { parseSshPublicKey, type SshPublicKey } from './ssh-public-key.ts'
export { composeLetter, type LetterBody, type LetterContent, type Letterhead } from './letter.ts'
export { seedAccounts, type SeededAccounts } from './seed.ts'
