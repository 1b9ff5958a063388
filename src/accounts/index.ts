/** The public API of accounts for other slices and the application. */
import type { Reconciler } from '../platform/reconcile.ts'
import { impersonationExpiryReconciler } from './impersonation/impersonation-expiry-job.ts'
import { asnRecheckReconciler, type RecheckDeps } from './asn/recheck-job.ts'
import { tokenProofReconciler } from './asn/remark-proof.ts'
import { housekeepingReconciler } from './cleanup-job.ts'
import { secondFactorResetReconciler } from './second-factor-reset/reset-job.ts'
import { passwordResetReconciler } from './sign-in/password-reset.ts'

/**
 * The background jobs of accounts: password reset emails, remarks that prove an ASN, expiring proofs, second factor
 * resets, and cleanup.
 */
export const accountsReconcilers = (deps: RecheckDeps): Reconciler[] => [
  passwordResetReconciler(deps),
  tokenProofReconciler(deps),
  impersonationExpiryReconciler(deps),
  asnRecheckReconciler(deps),
  secondFactorResetReconciler(deps),
  housekeepingReconciler(deps),
]

export type { AccountsDeps, Sender } from './deps.ts'
export { accountsApi } from './contract.ts'
export { accountsRoutes } from './routes.ts'
export { createAuthenticate, createAuthenticateOpened } from './sessions.ts'
export { createEnrolmentToken, enrolAgent } from './agents/enrolment.ts'
export { findAcceptedAgent, listAgents, noteConnected, noteDisconnected, revokeAgent } from './agents/agents.ts'
export { readAuthority } from './agents/authority.ts'
export { isActiveStaff, readStaffSuspension, suspendedByStaff, type StaffSuspension } from './suspended-by-staff.ts'
export { readBillingStatus, writeBillingStatus, type AccountBillingStatus } from './billing-status.ts'
export {
  asnIssue,
  asnTrustOf,
  claimAsn,
  holdersOf,
  readAsnOwnership,
  type AsnOwnership,
  type AsnTrust,
} from './asn/asn-ownership.ts'
export { asnsForStaff } from './asn-queue.ts'
export { datedContacts, requireDomainOf, type DatedContact } from './asn/contact-domain.ts'
export { asnVerificationLinks, vouchForAsn } from './asn/verification.ts'
export { listSshKeys } from './ssh-keys.ts'
export { requireResendCapacity } from './support/resend.ts'
export { notify, notifyStaff, type Notification } from './emails/notify.ts'
export { accountOf, accountOfOther, requireNotOwnAccount, userOf, usersOfAccounts, type AccountUser } from './owner.ts'
export { lockAccount, usersNamed, readCurrentUser } from './users.ts'
export { parseSshPublicKey, type SshPublicKey } from './ssh-public-key.ts'
export { send as sendEmail } from './emails/emails.ts'
export { emailHeader } from './deps.ts'
export type { EmailContent } from './emails/email.ts'
export { grantStaffRole, type NewStaffMember, type StaffGrant } from './staff/grant-staff.ts'
export { seedAccounts, seedUsers, seedVerifiedAsn, type SeededAccounts, type SeededUser } from './seed.ts'
export { networkOf, take, type Limit } from './throttle.ts'
export { requireConfirmedIdentity } from './second-factor/step-up.ts'
