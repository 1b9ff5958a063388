/** All tables that only transit writes. Their columns are defined in each subfolder. */
import type { TransitConnectionsTable } from './connections/tables.ts'
import type { PrefixContactLinksTable } from './contact-links/tables.ts'
import type { TransitLimitTripsTable, TransitLimitRequestsTable, TransitBlackholesTable } from './controls/tables.ts'
import type {
  TransitEdgesTable,
  TransitEdgeSitesTable,
  TransitEdgeAgentsTable,
  TransitUpstreamsTable,
} from './edges/tables.ts'
import type {
  PrefixEvidenceTable,
  PrefixRegistrationsTable,
  PrefixReverseDnsTable,
  PrefixApprovalsTable,
  PrefixPolicyTable,
  PrefixPolicyRulesTable,
} from './evidence/tables.ts'
import type { TransitEdgeLoadsTable } from './loads/tables.ts'
import type { LoasTable } from './loas/tables.ts'
import type { EdgeQuestionsTable } from './looking-glass/tables.ts'
import type { MaintenanceWindowsTable, MaintenanceTargetsTable, MaintenanceNoticesTable } from './maintenance/tables.ts'
import type {
  TransitPrefixesTable,
  PrefixQuotasTable,
  PrefixImportsTable,
  PrefixHeldDecisionsTable,
} from './prefixes/tables.ts'
import type { TransitSessionsTable, TransitSessionEventsTable } from './sessions/tables.ts'

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
