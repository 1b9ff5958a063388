import type { UserId } from '../../kernel/ids.ts'
import type { Generated, JSONColumnType } from 'kysely'
import type { EvidenceKind, Strength } from './evidence.ts'
import type { PolicyRule } from './policy.ts'
import type { DatedContact } from '../../accounts/index.ts'
import type { RegistryContact } from '../../drivers/registry/index.ts'
import type { ReverseDnsRecord } from './reverse-dns.ts'

export interface PrefixEvidenceTable {
  id: Generated<number>
  prefix_id: number
  kind: EvidenceKind
  source: string
  strength: Strength
  seen: string
  observed_at: Date
  expires_at: Date | null
  next_check_at: Date | null
}

export interface PrefixRegistrationsTable {
  prefix_id: number
  answered_at: Date | null
  registry: string | null
  handle: string | null
  name: string | null
  type: string | null
  status: JSONColumnType<readonly string[], string | undefined, string>
  holder: string | null
  registrants: JSONColumnType<readonly string[], string | undefined, string>
  contacts: JSONColumnType<readonly DatedContact<RegistryContact>[], string | undefined, string>
  placeholder: Generated<boolean>
  registered_at: Date | null
  changed_at: Date | null
  round: Generated<number>
  error: string | null
  checked_at: Date
  next_check_at: Date
}

export interface PrefixReverseDnsTable {
  prefix_id: number
  records: JSONColumnType<readonly ReverseDnsRecord[], string, string>
  complete_since: Date | null
  checked_at: Date
  next_check_at: Date
}

export interface PrefixApprovalsTable {
  prefix_id: number
  staff_id: UserId
  reason: string
  created_at: Date
}

export interface PrefixPolicyTable {
  only_row: Generated<boolean>
  automatic: Generated<boolean>
  two_person: Generated<boolean>
  established_days: Generated<number>
  check_age_minutes: Generated<number>
  open_requests: Generated<number>
  requests_per_hour: Generated<number>
  prefixes_per_account: Generated<number>
  shortest4: Generated<number>
  shortest6: Generated<number>
  version: Generated<number>
  changed_by: number | null
  changed_at: Date | null
}

export interface PrefixPolicyRulesTable {
  position: number
  name: string
  family: PolicyRule['family']
  shorter_than: number | null
  evidence: PolicyRule['evidence']
  people: PolicyRule['people']
  reason: boolean
}
