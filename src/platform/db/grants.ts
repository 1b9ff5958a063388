/**
 * The write privileges of the web and worker roles (decision 37). Both can read everything. The role of the migrations
 * is not listed: it owns all tables, and neither of the two may alter one.
 */
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** INSERT, UPDATE, DELETE. A row lock needs UPDATE as well. */
type Rights = '' | 'I' | 'U' | 'D' | 'IU' | 'ID' | 'UD' | 'IUD'

export interface TableRights {
  readonly web: Rights
  readonly worker: Rights
  /** The only columns that the worker updates. */
  readonly workerColumns?: readonly string[]
}

const may = (web: Rights, worker: Rights): TableRights => ({ web, worker })

/** Neither role can write a table that is not listed. */
export const GRANTS: Readonly<Record<string, TableRights>> = {
  // Append-only, by these grants and by triggers.
  audit_events: may('I', 'I'),
  ledger_entries: may('I', 'I'),
  ledger_transactions: may('I', 'I'),
  invoice_lines: may('I', 'I'),
  provider_events: may('I', 'I'),
  router_moves: may('I', 'I'),
  user_notes: may('I', ''),
  // The function that links an event writes these tables, as their owner.
  audit_head: may('', ''),
  audit_links: may('', ''),
  kysely_migration: may('', ''),
  kysely_migration_lock: may('', ''),

  // Users and how they sign in: the worker removes what has expired, and the factors of a second factor reset.
  // The default of `users.account_id` opens an account for each new user.
  accounts: may('I', ''),
  users: { web: 'IU', worker: '', workerColumns: ['is_customer', 'company'] },
  sessions: may('IUD', 'D'),
  api_tokens: may('IUD', 'D'),
  passkeys: may('IUD', 'D'),
  totp_factors: may('IUD', 'D'),
  recovery_codes: may('ID', 'D'),
  // A trigger rejects changes.
  second_factor_resets: may('IU', 'U'),
  spent_challenges: may('I', 'D'),
  email_changes: may('IUD', 'D'),
  password_reset_requests: may('I', 'D'),
  mail_tokens: may('ID', 'ID'),
  ssh_keys: may('ID', ''),
  throttles: may('IUD', 'IUD'),
  muted_mails: may('ID', ''),
  impersonation_sessions: may('IU', 'U'),
  asn_ownerships: may('IUD', 'IU'),
  asn_verifications: may('IU', 'U'),
  account_billing_status: may('IU', 'IU'),
  account_suspensions: may('IU', ''),

  // Set by staff.
  plans: may('IU', ''),
  images: may('IU', ''),
  sites: may('IU', ''),
  site_content: may('U', ''),
  price_versions: may('ID', ''),
  tax_rates: may('IU', ''),
  billing_discounts: may('IU', ''),
  transit_contracts: may('ID', ''),
  transit_edge_sites: may('IUD', ''),
  prefix_policy: may('U', ''),
  prefix_policy_rules: may('ID', ''),
  prefix_quotas: may('IUD', ''),
  address_pools: may('IU', 'U'),
  hypervisors: may('IUD', 'U'),
  transit_edges: may('IUD', 'U'),

  // Measurements and leases: only the worker writes them.
  leases: may('', 'IUD'),
  hypervisor_agents: may('', 'IUD'),
  hypervisor_slots: may('', 'IUD'),
  transit_edge_agents: may('', 'IUD'),
  router_counters: may('', 'IU'),
  router_samples: may('', 'ID'),
  router_slots: may('', 'IUD'),
  transit_upstreams: may('', 'IUD'),
  transit_session_events: may('', 'ID'),
  transit_usage: may('', 'IU'),
  webhook_attempts: may('', 'I'),
  price_notices: may('', 'I'),
  billing_runs: may('', 'IU'),

  routers: may('IU', 'IUD'),
  address_leases: may('I', ''),
  router_usage_periods: may('IU', 'IU'),
  console_tickets: may('ID', 'D'),
  transit_connections: may('IU', 'U'),
  transit_sessions: may('UD', 'IUD'),
  transit_limit_trips: may('UD', 'IUD'),
  transit_limit_requests: may('IU', ''),
  transit_blackholes: may('IU', 'U'),
  transit_prefixes: may('IU', 'U'),
  prefix_approvals: may('ID', 'ID'),
  prefix_held_decisions: may('IUD', 'UD'),
  prefix_imports: may('IU', 'U'),
  prefix_evidence: may('IUD', 'IUD'),
  prefix_registrations: may('IU', 'IU'),
  prefix_reverse_dns: may('IUD', 'IUD'),
  prefix_contact_links: may('IU', 'IU'),
  // A trigger rejects changes of signed documents.
  loas: may('IU', ''),
  edge_questions: may('ID', 'U'),
  maintenance_windows: may('IU', 'U'),
  maintenance_targets: may('I', ''),
  maintenance_notices: may('', 'IU'),
  transit_edge_loads: may('U', 'IUD'),
  agent_authority: may('IU', 'IU'),
  agent_tokens: may('IUD', 'IUD'),
  agents: may('IU', 'IU'),

  // Invoices are never removed, and a trigger rejects changes of issued ones.
  invoices: may('IU', 'IU'),
  invoice_series: may('IU', 'IU'),
  billing_customers: may('IU', 'IU'),
  billing_items: may('IU', 'IU'),
  billing_pauses: may('IU', 'IU'),
  billing_settings: may('U', 'U'),
  dunning: may('U', 'IU'),
  dunning_pauses: may('IU', 'U'),
  payments: may('IU', 'IU'),
  payment_customers: may('I', ''),
  payment_methods: may('IU', 'U'),
  refunds: may('IU', 'IU'),

  outgoing_mail: may('IU', 'IU'),
  outgoing_events: may('IU', 'IUD'),
  webhook_endpoints: may('IUD', 'UD'),
  webhook_deliveries: may('IU', 'IU'),
  audit_verifications: may('IU', 'IU'),
  idempotency_keys: may('IUD', 'IUD'),
  row_counts: may('I', 'ID'),
}

const WORDS = { I: 'insert', U: 'update', D: 'delete' } as const

function grantsOf(process: 'web' | 'worker', role: string, tables: readonly string[]) {
  return tables.flatMap((table) => {
    const { [process]: rights = '', workerColumns } = GRANTS[table] ?? may('', '')
    const words: string[] = rights.split('').map((letter) => WORDS[letter as keyof typeof WORDS])
    if (process === 'worker' && workerColumns) words.push(`update (${workerColumns.join(', ')})`)
    return words.length === 0 ? [] : [sql`grant ${sql.raw(words.join(', '))} on ${sql.table(table)} to ${sql.id(role)}`]
  })
}

export interface DatabaseRoles {
  readonly web: string
  readonly worker: string
}

/** Returns why a role cannot be web or worker, or null. */
export async function issueWithRole(db: Db, role: string): Promise<string | null> {
  const { rows } = await sql<{ owner: boolean; super: boolean }>`
    select pg_has_role(rolname, current_user, 'member') as owner, rolsuper as super
    from pg_roles where rolname = ${role}`.execute(db)
  const [found] = rows
  if (!found) return `There is no role ${role}: make it with createuser first.`
  if (found.super) return `${role} is a superuser, for whom no grants hold: choose another role.`
  if (found.owner) return `${role} is the owner of the tables, or a member of that role: choose another one.`
  return null
}

/** Gives both roles exactly these rights. Call it in a transaction, as the owner of the tables. */
export async function applyGrants(db: Db, roles: DatabaseRoles): Promise<void> {
  const { rows } = await sql<{ name: string; schema: string }>`
    select tablename as name, schemaname as schema from pg_tables where schemaname = current_schema()
    order by tablename`.execute(db)
  const tables = rows.map(({ name }) => name)
  const schema = sql.id(rows[0]?.schema ?? 'public')
  await sql`revoke create on schema ${schema} from public`.execute(db)
  for (const process of ['web', 'worker'] as const) {
    const role = sql.id(roles[process])
    await sql`revoke all on all tables in schema ${schema} from ${role}`.execute(db)
    await sql`revoke all on all sequences in schema ${schema} from ${role}`.execute(db)
    await sql`revoke all on schema ${schema} from ${role}`.execute(db)
    await sql`grant usage on schema ${schema} to ${role}`.execute(db)
    await sql`grant select on all tables in schema ${schema} to ${role}`.execute(db)
    await sql`grant select on all sequences in schema ${schema} to ${role}`.execute(db)
    for (const grant of grantsOf(process, roles[process], tables)) await grant.execute(db)
  }
}
