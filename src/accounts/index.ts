/** Accounts, as the later slices and the application may call them. */
import type { Reconciler } from '../platform/reconcile.ts'
import { actingEndReconciler } from './acting-end.ts'
import { asnRecheckReconciler, type RecheckDeps } from './asn-recheck.ts'
import { tokenProofReconciler } from './autnum-token.ts'
import { housekeepingReconciler } from './housekeeping.ts'
import { passwordResetReconciler } from './password-reset.ts'

/** What the worker has to run for accounts: mails for forgotten passwords, remarks that prove an ASN, proofs that lapse, and removing what is stale. */
export const accountsReconcilers = (deps: RecheckDeps): Reconciler[] => [
  passwordResetReconciler(deps),
  tokenProofReconciler(deps),
  actingEndReconciler(deps),
  asnRecheckReconciler(deps),
  housekeepingReconciler(deps),
]

export type { AccountsDeps } from './deps.ts'
export { accountsApi } from './contract.ts'
export { accountsRoutes } from './routes.ts'
export { createAuthenticate, createAuthenticateOpened } from './sessions.ts'
export { readStanding, writeStanding, type Standing } from './standing.ts'
export { claimAsn, complaintAboutAsn, holdersOf, readAsnHolding, type AsnHolding } from './asn-holding.ts'
export { asnsForStaff } from './asn-queue.ts'
export { asnVerificationLinks, vouchForAsn } from './asn-verification.ts'
export { listSshKeys } from './ssh-keys.ts'
export { wantsMail } from './mail-preferences.ts'
export { holdAccount, peopleNamed, readCurrentUser } from './users.ts'
export { parseSshPublicKey, type SshPublicKey } from './ssh-public-key.ts'
export { letterhead } from './deps.ts'
export { composeLetter, type LetterBody, type LetterContent, type Letterhead } from './letter.ts'
export { appointStaff, type Appointee, type Appointment } from './appoint-staff.ts'
export { seedAccounts, seedPeople, type SeededAccounts, type SeededPerson } from './seed.ts'
export { requireRecentProof } from './step-up.ts'
