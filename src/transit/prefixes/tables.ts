import type { AccountId, UserId } from '../../kernel/ids.ts'
import type { Generated, JSONColumnType } from 'kysely'
import type { RouteObject } from '../../drivers/irr/index.ts'
import type { RpkiValidation } from '../../drivers/rpki/index.ts'
import type { EvidenceKind, Strength } from '../evidence/evidence.ts'
import type { DownstreamEvidence, DownstreamIssueKind } from '../downstreams/evidence.ts'
import type {
  AnnouncementType,
  CheckStatus,
  IMPORT_FAILURES,
  IMPORT_SET_PROBLEMS,
  Membership,
  PrefixStatus,
  SpaceLoss,
  StaffAction,
} from '../states.ts'

type Vrps = RpkiValidation['vrps'][number][]
type RouteObjects = (RouteObject & { exact: boolean })[]

export interface TransitPrefixesTable {
  id: Generated<number>
  account_id: AccountId
  value: string
  status: Generated<PrefixStatus>
  status_reason: string | null
  asn_changed: Generated<boolean>
  announcement_type: AnnouncementType
  requested_origin: number | null
  origin_asn: number | null
  membership: Generated<Membership>
  downstream: JSONColumnType<DownstreamEvidence, string | null | undefined, string | null> | null
  /** When the oldest AS-SET or aut-num of the last check was read. */
  downstream_as_of: Date | null
  accepted_issues: Generated<DownstreamIssueKind[]>
  suspend_at: Date | null
  space_lost: SpaceLoss | null
  rpki_status: Generated<CheckStatus>
  rpki_reason: RpkiValidation['reason']
  rpki_vrps: JSONColumnType<Vrps, string | undefined, string>
  rpki_as_of: Date | null
  rpki_good_status: CheckStatus | null
  rpki_good_as_of: Date | null
  irr_status: Generated<CheckStatus>
  irr_objects: JSONColumnType<RouteObjects, string | undefined, string>
  irr_as_of: Date | null
  irr_good_status: CheckStatus | null
  irr_good_as_of: Date | null
  checked_at: Date | null
  check_after: Generated<Date>
  flagged_at: Date | null
  decided_by: UserId | null
  decided_at: Date | null
  imported_at: Date | null
  imported_generation: string | null
  /** The edge whose confirmed filter holds it, while `imported_at` is set. */
  imported_edge: Generated<number | null>
  received_at: Date | null
  accepted_at: Date | null
  exported_at: Date | null
  /** When it stopped being announced to upstreams; null while it is announced, and if it never was. */
  lost_at: Date | null
  rejection: number | null
  created_at: Generated<Date>
  withdrawn_at: Date | null
  /** Keeps other customers out of its space although it is not approved. */
  proven: Generated<boolean>
  /** Approved while a source was unavailable. The first contradicting answer revokes the approval. */
  approved_unknown: Generated<boolean>
  approval_basis: JSONColumnType<ApprovalBasis, string | undefined, string> | null
}

/** The basis of an approval at the time it was given. */
export interface ApprovalBasis {
  readonly rule: string
  readonly policyVersion: number
  /** Email addresses of the staff who gave it; empty for an automatic approval. */
  readonly people: readonly string[]
  readonly evidence: readonly {
    readonly kind: EvidenceKind
    readonly source: string
    readonly strength: Strength
    readonly observedAt: string
  }[]
}

export interface PrefixQuotasTable {
  account_id: AccountId
  /** Null: the limit of the policy. */
  prefixes: number | null
  open_requests: number | null
  reason: string
  changed_by: number | null
  changed_at: Date
}

export interface FoundPrefix {
  readonly prefix: string
  readonly origin: number
  readonly sources: readonly string[]
}

export interface PrefixImportsTable {
  account_id: AccountId
  started_at: Date
  finished_at: Date | null
  as_set: string | null
  as_set_problem: (typeof IMPORT_SET_PROBLEMS)[number] | null
  asns: JSONColumnType<readonly number[], string | null | undefined, string | null> | null
  read: Generated<number>
  prefixes: JSONColumnType<readonly FoundPrefix[], string | undefined, string>
  skipped: Generated<number>
  truncated: Generated<boolean>
  failure: (typeof IMPORT_FAILURES)[number] | null
}

export interface PrefixHeldDecisionsTable {
  prefix_id: number
  action: StaffAction
  reason: string | null
  staff_id: UserId
  decided_at: Date
  effective_at: Date
  /** Why it did not take effect. */
  failure: Generated<string | null>
}
