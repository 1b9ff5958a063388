/** The tables that transit alone writes. */
import type { Generated, JSONColumnType } from 'kysely'
import type { RouteObject } from '../drivers/irr/index.ts'
import type { BfdState, EdgeDriver, EdgeError, EdgeExport, EdgeRpki, SessionState } from '../drivers/edge/index.ts'
import type { RpkiValidation } from '../drivers/rpki/index.ts'
import type { EvidenceKind, Strength } from './evidence/evidence.ts'
import type { PolicyRule } from './evidence/policy.ts'
import type { DatedContact } from '../accounts/index.ts'
import type { RegistryContact } from '../drivers/registry/index.ts'
import type { ReverseDnsRecord } from './evidence/reverse-dns.ts'
import type { DownstreamEvidence, DownstreamIssueKind } from './downstreams/evidence.ts'
import type { FoundAsSet } from './downstreams/ownership.ts'
import type { RejectionReport } from './edges/rejection-report.ts'
import type { EdgeQuestion } from './looking-glass/question.ts'
import type { CustomerChange, RevertedPrefix } from './loads/changes.ts'
import type { MaintenanceEffect } from './maintenance/policy.ts'
import type {
  AnnouncementType,
  CheckStatus,
  EdgeLack,
  IMPORT_FAILURES,
  IMPORT_SET_PROBLEMS,
  LimitRequestStatus,
  LinkPurpose,
  Membership,
  PrefixStatus,
  SpaceLoss,
  StaffAction,
} from './states.ts'

export interface TransitConnectionsTable {
  id: Generated<number>
  user_id: number
  as_set: string | null
  as_set_status: Exclude<CheckStatus, 'INVALID'> | null
  as_set_members: number | null
  as_set_as_of: Date | null
  as_set_checked_at: Date | null
  as_set_found: JSONColumnType<FoundAsSet, string | null | undefined, string | null> | null
  router_id: number | null
  enabled: Generated<boolean>
  exports: Generated<EdgeExport>
  /** In clear, from earlier releases: see `session-password.ts`. */
  password: Generated<string | null>
  encrypted_password: Generated<Buffer | null>
  /** The edge that may carry it: written before it is asked to, cleared when it confirmed a state without it. */
  edge_id: Generated<number | null>
  routes_seen_at: Date | null
  shutdown_message: string | null
  /** Cleared by `controls/timers.ts`. */
  drain_until: Date | null
  receive_limit4: number | null
  receive_limit6: number | null
  bfd4: Generated<boolean>
  bfd6: Generated<boolean>
  next_encrypted_password: Buffer | null
  password_change_at: Date | null
  password_pending_until: Date | null
  password_change_result: 'KEPT' | 'RETURNED' | null
  password_changed_at: Date | null
  created_at: Generated<Date>
}

type Vrps = RpkiValidation['vrps'][number][]
type RouteObjects = (RouteObject & { exact: boolean })[]

export interface TransitPrefixesTable {
  id: Generated<number>
  user_id: number
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
  decided_by: number | null
  decided_at: Date | null
  imported_at: Date | null
  imported_generation: string | null
  /** Whose confirmed filter holds it, as long as `imported_at` says that one does. */
  imported_edge: Generated<number | null>
  received_at: Date | null
  accepted_at: Date | null
  exported_at: Date | null
  /** When it left the upstreams; null while it is announced, and where it never was. */
  lost_at: Date | null
  rejection: number | null
  created_at: Generated<Date>
  withdrawn_at: Date | null
  /** Closes its space to other customers although it is not approved. */
  proven: Generated<boolean>
  /** Approved while a source was silent: the first answer against it takes the approval back. */
  approved_unknown: Generated<boolean>
  approval_basis: JSONColumnType<ApprovalBasis, string | undefined, string> | null
}

/** The evidence of an approval when it was given. */
export interface ApprovalBasis {
  readonly rule: string
  readonly policyVersion: number
  /** Emails of the staff who gave it; empty for an automatic one. */
  readonly people: readonly string[]
  readonly evidence: readonly {
    readonly kind: EvidenceKind
    readonly source: string
    readonly strength: Strength
    readonly observedAt: string
  }[]
}

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

export interface PrefixContactLinksTable {
  id: Generated<number>
  prefix_id: number
  purpose: LinkPurpose
  customer_asn: number
  origin_asn: number | null
  round: number
  contact_email: string
  contact_roles: JSONColumnType<readonly string[], string, string>
  contact_source: string
  registry: string
  handle: string
  registrants: JSONColumnType<readonly string[], string, string>
  requested_by: number | null
  created_at: Date
  expires_at: Date
  confirmed_at: Generated<Date | null>
  valid_until: Generated<Date | null>
  by_customer: Generated<boolean>
  voided_at: Generated<Date | null>
}

export interface LoasTable {
  id: Generated<number>
  user_id: number
  prefix_id: number
  prefix: string
  origin_asn: number
  customer_asn: number
  proof_method: string | null
  asn_verified_at: Date
  holder: string | null
  holder_registry: string | null
  operator_name: string
  operator_asn: number
  signatory_name: string
  signatory_title: string
  text_version: number
  paragraphs: JSONColumnType<readonly string[], string, never>
  evidence: JSONColumnType<readonly string[], string, never>
  signed_at: Date
  valid_until: Date
  code: string
  pdf: Buffer
  pdf_sha256: string
  revoked_at: Date | null
}

export interface PrefixApprovalsTable {
  prefix_id: number
  staff_id: number
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

export interface PrefixQuotasTable {
  user_id: number
  /** Null: as the policy says. */
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
  user_id: number
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
  staff_id: number
  decided_at: Date
  effective_at: Date
  /** Why it did not take effect. */
  failure: Generated<string | null>
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

export interface TransitEdgesTable {
  id: Generated<number>
  slug: string
  name: string
  /** Set by staff: nobody else’s, whatever an agent says. */
  bgp_identifier: Generated<string | null>
  added_at: Generated<Date>
  wanted_generation: string | null
  running_generation: string | null
  applied_at: Date | null
  attempted_at: Date | null
  observed_at: Date | null
  /** `no_agent`: no process drives it. `unconfirmed`: a load drops so much that a person has to confirm it. */
  error_kind: EdgeError['kind'] | 'no_agent' | 'unconfirmed' | null
  error: string | null
  /** Why the neighbour tables are not what the leases say. */
  neighbors_error: string | null
  /** When they were last looked at. */
  neighbors_at: Date | null
  /** VRPs that the edge validates with; null before it told, and of one that validates nothing. */
  rpki_vrps: number | null
  rpki_caches: JSONColumnType<EdgeRpki['caches']> | null
  rpki_seen_at: Date | null
  /** Why its origin validation cannot be relied on. */
  rpki_error: string | null
  /** When it last reported its upstream sessions, those that are down in words, and what it refused from them; null before it did. */
  upstreams_at: Date | null
  upstreams_error: string | null
  upstream_rejections: JSONColumnType<RejectionReport> | null
  /** The load to whose prefixes staff took the edge back. */
  reverted_to: number | null
  reverted_at: Date | null
  reverted_by: number | null
  reverted_reason: string | null
  reverted_prefixes: JSONColumnType<readonly RevertedPrefix[]> | null
  /** Prefixes of that load that may not come back. */
  reverted_missing: number | null
  /** Every customer is a last resort since then (RFC 8326). */
  maintenance_since: Date | null
  maintenance_reason: string | null
  /** What its product cannot do. */
  lacks: Generated<EdgeLack[]>
}

export interface EdgeQuestionsTable {
  id: Generated<number>
  edge_id: number
  user_id: number
  asked_at: Generated<Date>
  question: JSONColumnType<EdgeQuestion, string, never>
  answer: JSONColumnType<{ readonly error: string | null; readonly value: unknown }, string | undefined, string> | null
}

export interface TransitEdgeLoadsTable {
  id: Generated<number>
  edge_id: number
  at: Date
  state: 'WAITING' | 'CONFIRMED' | 'LOADING' | 'LOADED' | 'FAILED' | 'SUPERSEDED'
  generation: string
  previous_generation: string | null
  changes: JSONColumnType<readonly CustomerChange[]>
  customers_added: number
  customers_removed: number
  prefixes_added: number
  prefixes_removed: number
  /** A digest of what it would drop, where a person is asked. */
  dropped: string | null
  /** Why a person is asked, or why it failed. */
  detail: string | null
  causes: JSONColumnType<readonly { readonly actor: string; readonly action: string }[]>
  audit_id: number
  confirmed_by: number | null
  confirmed_at: Date | null
  confirmed_reason: string | null
}

/** A site that is not here is served by the only edge, or by none. */
export interface TransitEdgeSitesTable {
  site_id: number
  edge_id: number
}

export interface TransitEdgeAgentsTable {
  slug: string
  waiting: string | null
  waiting_at: Date | null
  kind: EdgeDriver['kind'] | null
  /** In words why it is this driver. */
  why: string | null
  router_id: string | null
}

export interface TransitSessionsTable {
  connection_id: number
  family: 4 | 6
  state: SessionState
  since: Date | null
  received: number
  accepted: number
  exported: number
  last_error: string | null
  /** Since when one that was established is not. */
  down_since: Generated<Date | null>
  alerted_at: Generated<Date | null>
  bfd: BfdState | null
  /** How often it left Established within 24 hours. */
  flaps: Generated<number>
  /** When the oldest of these is 24 hours ago. */
  flaps_until: Generated<Date | null>
}

export interface TransitUpstreamsTable {
  edge_id: number
  /** As the edge's own configuration names it. */
  name: string
  asn: number
  address: string
  state: SessionState
  since: Date | null
  received: number
  exported: number
  last_error: string | null
  /** Since when it is not established though its operator wants it. */
  down_since: Date | null
  alerted_at: Generated<Date | null>
}

export interface TransitSessionEventsTable {
  id: Generated<number>
  connection_id: number
  family: 4 | 6
  at: Date
  from_state: SessionState | null
  to_state: SessionState
  error: string | null
}

export interface TransitLimitTripsTable {
  connection_id: number
  family: 4 | 6
  tripped_at: Date
  receive_limit: number
  emailed_at: Date | null
}

export interface TransitLimitRequestsTable {
  id: Generated<number>
  user_id: number
  family: 4 | 6
  routes: number
  reason: string
  status: Generated<LimitRequestStatus>
  created_at: Date
  decided_at: Date | null
  decided_by: number | null
  decision_reason: string | null
  granted: number | null
}

export interface TransitBlackholesTable {
  id: Generated<number>
  user_id: number
  address: string
  created_at: Date
  expires_at: Date
  ended_at: Date | null
}

export interface MaintenanceWindowsTable {
  id: Generated<number>
  title: string
  effect: MaintenanceEffect
  starts_at: Date
  ends_at: Date
  everywhere: boolean
  revision: Generated<number>
  created_by: number | null
  created_at: Date
  cancelled_at: Date | null
  cancelled_reason: string | null
  announced_at: Date | null
}

/** One of the three is set. */
export interface MaintenanceTargetsTable {
  window_id: number
  site_id: number | null
  hypervisor_id: number | null
  edge_id: number | null
}

export interface MaintenanceNoticesTable {
  window_id: number
  user_id: number
  revision: number
  told_at: Date
}

declare module '../platform/db/tables.ts' {
  interface Tables {
    transit_connections: TransitConnectionsTable
    transit_prefixes: TransitPrefixesTable
    prefix_evidence: PrefixEvidenceTable
    prefix_registrations: PrefixRegistrationsTable
    prefix_reverse_dns: PrefixReverseDnsTable
    prefix_contact_links: PrefixContactLinksTable
    loas: LoasTable
    prefix_approvals: PrefixApprovalsTable
    prefix_policy: PrefixPolicyTable
    prefix_policy_rules: PrefixPolicyRulesTable
    prefix_quotas: PrefixQuotasTable
    prefix_imports: PrefixImportsTable
    prefix_held_decisions: PrefixHeldDecisionsTable
    transit_edges: TransitEdgesTable
    transit_edge_sites: TransitEdgeSitesTable
    transit_edge_loads: TransitEdgeLoadsTable
    edge_questions: EdgeQuestionsTable
    transit_edge_agents: TransitEdgeAgentsTable
    transit_sessions: TransitSessionsTable
    transit_upstreams: TransitUpstreamsTable
    transit_session_events: TransitSessionEventsTable
    transit_limit_trips: TransitLimitTripsTable
    transit_limit_requests: TransitLimitRequestsTable
    transit_blackholes: TransitBlackholesTable
    maintenance_windows: MaintenanceWindowsTable
    maintenance_targets: MaintenanceTargetsTable
    maintenance_notices: MaintenanceNoticesTable
  }
}
