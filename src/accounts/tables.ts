/** The tables that accounts alone writes. */
import type { Generated, GeneratedAlways } from 'kysely'
import type { StaffRole } from '../kernel/required-role.ts'
import type { Scope } from '../kernel/scope.ts'
import type { AsnRisk, AsnProof, MailKind } from './policy.ts'

export interface UsersTable {
  id: Generated<number>
  email: string
  first_name: string
  last_name: string
  password_hash: string
  staff_roles: Generated<StaffRole[]>
  /** Kept by the database: has a role. */
  is_admin: GeneratedAlways<boolean>
  email_verified_at: Date | null
  created_at: Generated<Date>
  last_sign_in_at: Date | null
  last_sign_in_ip: string | null
  closed_at: Date | null
  /** Not verified yet, and signed up more than once, with different passwords. */
  sign_ups_differ: Generated<boolean>
  /** For searches: the names and the address, folded. */
  words: GeneratedAlways<string>
  /** Kept by a trigger: `may_be_billed` of the account's standing. */
  is_customer: GeneratedAlways<boolean>
}

export interface SessionsTable {
  id: Generated<number>
  digest: Buffer
  user_id: number
  created_at: Date
  last_seen_at: Date
  ip: string
  user_agent: string
  confirmed_at: Date | null
}

export interface ApiTokensTable {
  id: Generated<number>
  digest: Buffer
  user_id: number
  name: string
  created_at: Date
  expires_at: Date
  last_used_at: Date | null
  last_used_ip: string | null
  scopes: Scope[]
  networks: string[]
}

export type MailTokenPurpose =
  | 'verify_email'
  | 'reset_password'
  | 'change_email_old'
  | 'change_email_new'
  | 'stop_second_factor_reset'

export interface MailTokensTable {
  digest: Buffer
  purpose: MailTokenPurpose
  user_id: number
  payload: unknown
  expires_at: Date
}

export interface EmailChangesTable {
  user_id: number
  new_email: string
  old_confirmed_at: Date | null
  new_confirmed_at: Date | null
}

export interface PasswordResetRequestsTable {
  id: Generated<number>
  email: string
  ip: string
  created_at: Generated<Date>
}

export interface ThrottlesTable {
  key: string
  drained_at: Date
}

export interface TotpFactorsTable {
  user_id: number
  encrypted_secret: Buffer
  confirmed_at: Date | null
  last_step: Generated<number>
}

export interface RecoveryCodesTable {
  user_id: number
  digest: Buffer
}

export interface AsnOwnershipsTable {
  user_id: number
  asn: number
  claimed_at: Generated<Date>
  verified_at: Date | null
  checked_at: Generated<Date | null>
  next_check_at: Generated<Date | null>
  risk: Generated<AsnRisk | null>
  at_risk_since: Generated<Date | null>
  lapses_at: Generated<Date | null>
  reminded_at: Generated<Date | null>
  lapsed_at: Generated<Date | null>
  silent_since: Generated<Date | null>
}

export interface AsnVerificationsTable {
  id: Generated<number>
  user_id: number
  asn: number
  method: AsnProof
  strength: 'low' | 'medium' | 'high'
  contact_email: string | null
  contact_source: string | null
  requested_by: number | null
  created_at: Date
  link_expires_at: Date | null
  voided_at: Date | null
  verified_at: Date | null
  valid_until: Date | null
  checked_at: Generated<Date | null>
  next_check_at: Generated<Date | null>
  result: Generated<string | null>
  holder_handles: Generated<string[] | null>
  holder_name: Generated<string | null>
  contradicted_at: Generated<Date | null>
  round: Generated<number>
}

export interface PasskeysTable {
  id: Generated<number>
  user_id: number
  credential_id: Buffer
  user_handle: Generated<string | null>
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
  synced: boolean
  created_at: Date
  last_used_at: Date | null
}

export interface SpentChallengesTable {
  digest: Buffer
  expires_at: Date
}

export interface MutedMailsTable {
  user_id: number
  kind: MailKind
}

export interface ImpersonationSessionsTable {
  id: Generated<number>
  staff_id: number
  session_id: number | null
  user_id: number
  reason: string
  started_at: Date
  expires_at: Date
  elevated_reason: Generated<string | null>
  elevated_until: Generated<Date | null>
  ended_at: Generated<Date | null>
}

export interface AccountBillingStatusTable {
  user_id: number
  may_be_billed: Generated<boolean>
  suspended: Generated<boolean>
  transit: Generated<'normal' | 'drained' | 'closed'>
  reason: string | null
  updated_at: Generated<Date>
}

export interface AccountSuspensionsTable {
  id: Generated<number>
  user_id: number
  reason: string
  suspended_by: number
  suspended_at: Date
  lifted_by: Generated<number | null>
  lifted_at: Generated<Date | null>
  lift_reason: Generated<string | null>
}

export type ResetOutcome = 'completed' | 'expired' | 'stopped' | 'cancelled' | 'factor_used' | 'void'

export interface SecondFactorResetsTable {
  id: Generated<number>
  user_id: number
  reason: string
  identity_check: string
  of_staff: boolean
  requested_by: number
  requested_at: Date
  approve_before: Date
  approved_by: Generated<number | null>
  approved_at: Generated<Date | null>
  due_at: Generated<Date | null>
  outcome: Generated<ResetOutcome | null>
  ended_at: Generated<Date | null>
  ended_by: Generated<number | null>
  end_reason: Generated<string | null>
}

export interface SshKeysTable {
  id: Generated<number>
  user_id: number
  name: string
  type: string
  public_key: string
  fingerprint: string
  created_at: Generated<Date>
}

export interface UserNotesTable {
  id: Generated<number>
  user_id: number
  author_id: number
  body: string
  created_at: Date
}

declare module '../platform/db/tables.ts' {
  interface Tables {
    users: UsersTable
    sessions: SessionsTable
    api_tokens: ApiTokensTable
    mail_tokens: MailTokensTable
    email_changes: EmailChangesTable
    password_reset_requests: PasswordResetRequestsTable
    throttles: ThrottlesTable
    totp_factors: TotpFactorsTable
    recovery_codes: RecoveryCodesTable
    asn_ownerships: AsnOwnershipsTable
    asn_verifications: AsnVerificationsTable
    impersonation_sessions: ImpersonationSessionsTable
    account_billing_status: AccountBillingStatusTable
    account_suspensions: AccountSuspensionsTable
    second_factor_resets: SecondFactorResetsTable
    ssh_keys: SshKeysTable
    passkeys: PasskeysTable
    spent_challenges: SpentChallengesTable
    muted_mails: MutedMailsTable
    user_notes: UserNotesTable
  }
}
