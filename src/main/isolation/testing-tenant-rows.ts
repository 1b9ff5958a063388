/**
 * Creates one row of every table that belongs to a customer, read from the schema. A table from a later migration is
 * seeded without a change here. A column that needs a particular value fails the insert by name until `VALUES` has it.
 * Every id and free number of a tenant is its number; every free text begins with its marker.
 */
import type { AccountId, UserId } from '../../kernel/ids.ts'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { hashPassword } from '../../accounts/passwords.ts'
import type { Db } from '../../platform/db/index.ts'

export interface Tenant {
  /** The id of each row of this tenant, except for its account. */
  readonly number: UserId
  readonly account: AccountId
  /** Lower case; part of every text of this tenant and of no other text. */
  readonly marker: string
  /** Two octets of an address that no other tenant has. */
  readonly octets: string
  readonly asn: number
}

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly identity: boolean
  /** Whether a CHECK constraint names it. */
  readonly checked: boolean
  /** The first value of a CHECK that lists values. */
  readonly first: string | null
  /** The table and column that its foreign key references. */
  readonly target: string | null
  readonly targetColumn: string | null
}

type Value = string | number | boolean | Date | Buffer | null | readonly string[]
const DAY_MS = 86_400_000
/** Hashed once: the hash deliberately takes a tenth of a second. */
export const PASSWORD_HASH = await hashPassword('a heron stood still')
const soon = (): Date => new Date(Date.now() + DAY_MS)
const past = (): Date => new Date(Date.now() - DAY_MS)

/**
 * For columns whose type alone gives no row that the server reads, or whose row would keep the tenant from signing in.
 */
const VALUES: Readonly<Record<string, Readonly<Record<string, (tenant: Tenant) => Value>>>> = {
  users: {
    email: ({ marker }) => `${marker}@example.org`,
    email_verified_at: past,
    is_customer: () => true,
    password_hash: () => PASSWORD_HASH,
  },
  account_billing_status: { may_be_billed: () => true },
  // Lifted: a suspended tenant could change nothing.
  account_suspensions: { lifted_at: past, lifted_by: ({ number }) => number, lift_reason: named('lift') },
  address_leases: {
    address4: ({ number }) => `203.0.113.${number % 199}`,
    address6: ({ number }) => `2001:db8:100::${number % 199}`,
    host_number: ({ number }) => number % 199,
  },
  api_tokens: { scopes: () => ['account:read'] },
  asn_ownerships: { asn: ({ asn }) => asn, verified_at: past, claimed_at: past, next_check_at: soon },
  asn_verifications: { asn: ({ asn }) => asn, verified_at: past, valid_until: soon },
  audit_events: {
    action: () => 'router.created',
    subject_type: () => 'router',
    actor_kind: () => 'user',
    subject_id: ({ number }) => number,
    data: ({ marker }) => JSON.stringify({ name: `${marker}-event` }),
  },
  billing_customers: { currency: () => 'EUR', country: () => 'NL', vat_id: () => null, company: named('company') },
  billing_discounts: { percent: () => 100 },
  billing_items: { currency: () => 'EUR', kind: () => 'FEE', amount: ({ number }) => number },
  dunning_pauses: { until: soon },
  email_changes: { new_email: ({ marker }) => `${marker}-new@example.org` },
  impersonation_sessions: { reason: ({ marker }) => `${marker} asked for help`, ended_at: past, expires_at: past },
  idempotency_keys: { caller: ({ number }) => `user:${number}` },
  invoices: {
    currency: () => 'EUR',
    kind: () => 'INVOICE',
    reason: () => 'MONTHLY',
    status: () => 'OPEN',
    series: () => null,
    number: named('invoice'),
    subtotal: ({ number }) => number,
    total: ({ number }) => number,
    tax: () => 0,
    period_start: past,
    period_end: () => new Date(),
    issued_at: past,
    due_at: soon,
    seller: ({ marker }) => JSON.stringify(party(marker)),
    buyer: ({ marker }) => JSON.stringify(party(marker)),
    tax_rule: () => 'NONE',
  },
  invoice_lines: { position: () => 1, kind: () => 'FEE', quantity: () => 1, amount: ({ number }) => number },
  ledger_entries: { account: () => 'receivable', invoice_id: ({ number }) => number },
  ledger_transactions: { currency: () => 'EUR' },
  loas: {
    prefix: ({ octets }) => `45.${octets.split('.')[0]}.7.0/24`,
    origin_asn: ({ asn }) => asn,
    customer_asn: ({ asn }) => asn,
    paragraphs: () => '[]',
    evidence: () => '[]',
    pdf: ({ marker }) => Buffer.from(marker),
  },
  muted_mails: { kind: ({ number }) => (number % 2000 === 1 ? 'receipts' : 'prefix_warnings') },
  outgoing_events: {
    type: () => 'router.created',
    subject_type: () => 'router',
    subject_id: ({ number }) => number,
    dispatched_at: past,
    body: ({ marker }) => JSON.stringify({ type: 'router.created', marker }),
  },
  outgoing_mail: { sent_at: past, text: () => null, html: () => null },
  password_reset_requests: {},
  payment_customers: { provider: () => 'test' },
  payment_methods: { provider: () => 'test', last4: () => '4242', exp_month: () => 12, exp_year: () => 2040 },
  payments: { currency: () => 'EUR', provider: () => 'test', status: () => 'SUCCEEDED', dispute: () => null },
  refunds: { status: () => 'SUCCEEDED' },
  router_usage_periods: { currency: () => 'EUR', started_at: past },
  routers: {
    name: named('router'),
    observed: () => 'running',
    desired_state: () => 'running',
    task: () => null,
    task_phase: () => null,
    failure: () => null,
    previous_desired_state: () => null,
    purge_at: () => null,
    due_at: () => null,
    ready_at: past,
    reachable_at: past,
    memory: () => 512,
    disk_size: () => 4,
  },
  router_samples: { at: () => new Date(Date.now() - 120_000), seconds: () => 60 },
  router_slots: { slot: () => new Date(Date.now() - 600_000), seconds: () => 300 },
  second_factor_resets: { approve_before: soon },
  sessions: { ip: ({ octets }) => `10.${octets}` },
  ssh_keys: { type: () => 'ssh-ed25519' },
  transit_connections: {
    as_set: ({ marker }) => `AS-${marker.toUpperCase()}`,
    password: () => null,
    exports: () => 'default',
    edge_id: () => 1,
    next_encrypted_password: () => null,
    password_change_at: () => null,
    password_pending_until: () => null,
    password_change_result: () => null,
    shutdown_message: ({ marker }) => `${marker}-shutdown`,
  },
  transit_contracts: { currency: () => 'EUR', direction: () => 'MAX' },
  transit_prefixes: {
    value: ({ octets }) => `45.${octets.split('.')[0]}.7.0/24`,
    status: () => 'APPROVED',
    origin_asn: ({ asn }) => asn,
    requested_origin: () => null,
    rpki_reason: () => null,
    status_reason: () => null,
    rpki_status: () => 'VALID',
    irr_status: () => 'VALID',
    check_after: soon,
    decided_by: () => null,
    imported_edge: () => null,
    imported_generation: () => null,
  },
  transit_session_events: { family: () => 4, from_state: () => 'ESTABLISHED', to_state: () => 'IDLE' },
  transit_sessions: { family: () => 4, state: () => 'ESTABLISHED' },
  transit_limit_trips: { family: () => 4, tripped_at: past },
  transit_limit_requests: { family: () => 4 },
  transit_blackholes: {
    address: ({ octets }) => `45.${octets.split('.')[0]}.7.9`,
    ended_at: () => null,
    expires_at: soon,
  },
  transit_usage: { segments: () => JSON.stringify([]) },
  webhook_attempts: { status: () => 500 },
  webhook_deliveries: { state: () => 'FAILED', last_status: () => 500, next_attempt_at: soon },
  webhook_endpoints: {
    url: ({ marker }) => `https://${marker}.example.net/hook`,
    events: () => ['router.created'],
    previous_secret: () => null,
    disabled_reason: () => null,
  },
}

/** Tables whose rows would lock the tenant out, or have no owner. */
const LEFT_OUT = ['totp_factors', 'row_counts']

function named(what: string): (tenant: Tenant) => string {
  return ({ marker }) => `${marker}-${what}`
}

const party = (marker: string) => ({
  name: `${marker} party`,
  company: `${marker} party`,
  street: `${marker} street`,
  postalCode: '1',
  city: `${marker} city`,
  country: 'NL',
  vatId: null,
  email: `${marker}@example.org`,
})

/** What owns a customer's rows: a column that references it says nothing about the table, unless it is named after it. */
const OWNERS = ['accounts', 'users']
const isOwner = (name: string): boolean => name === 'user_id' || name === 'account_id'

/** Returns the tables with rows of customers, each after the tables that it references. */
export async function readTenantTables(db: Db): Promise<ReadonlyMap<string, readonly Column[]>> {
  const { rows } = await sql<Column>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
           a.attnotnull and not a.atthasdef as required, a.attidentity <> '' as identity,
           exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any(k.conkey)) as checked,
           (select substring(pg_get_constraintdef(k.oid) from '\\(' || a.attname || ' = ANY \\(ARRAY\\[''([^'']*)''')
              from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1) as first,
           f.confrelid::regclass::text as target,
           (select t.attname from pg_attribute t where t.attrelid = f.confrelid and t.attnum = f.confkey[array_position(f.conkey, a.attnum)]) as "targetColumn"
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      left join lateral (select * from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any(k.conkey)
                         order by array_length(k.conkey, 1) limit 1) f on true
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     order by c.relname, a.attnum`.execute(db)
  const columnsOf = Map.groupBy(rows, ({ table }) => table)
  const found = new Map<string, readonly Column[]>()
  const belongs = (table: string, columns: readonly Column[]): boolean =>
    !LEFT_OUT.includes(table) &&
    (OWNERS.includes(table) ||
      columns.some(
        ({ name, type, target }) =>
          isOwner(name) ||
          (name === 'router_id' && type === 'integer') ||
          (target !== null && !OWNERS.includes(target) && found.has(target)),
      ) ||
      table in VALUES)
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const [table, columns] of columnsOf) {
      const waits = columns.some(
        ({ target }) => target !== null && target !== table && isTenantTable(target) && !found.has(target),
      )
      if (!found.has(table) && !waits && belongs(table, columns)) found.set(table, columns)
    }
  }
  return found

  function isTenantTable(table: string): boolean {
    return (
      !LEFT_OUT.includes(table) &&
      (OWNERS.includes(table) || table in VALUES || (columnsOf.get(table) ?? []).some(({ name }) => isOwner(name)))
    )
  }
}

/** Inserts without triggers, which would post, count and reject. */
export async function seedTenant(
  db: Db,
  tables: ReadonlyMap<string, readonly Column[]>,
  tenant: Tenant,
): Promise<void> {
  await db.connection().execute(async (one) => {
    await sql`set session_replication_role = replica`.execute(one)
    for (const [table, columns] of tables) {
      const filled = columns.flatMap((column) => {
        const value = valueOf(column, tenant, tables)
        return value === undefined ? [] : [{ name: column.name, value }]
      })
      const names = sql.join(filled.map(({ name }) => sql.ref(name)))
      const values = sql.join(filled.map(({ value }) => sql`${value}`))
      try {
        await sql`insert into ${sql.table(table)} (${names}) overriding system value values (${values})`.execute(one)
      } catch (error) {
        throw new Error(`A row of ${table} needs a value in VALUES: ${(error as Error).message}`, { cause: error })
      }
    }
    await sql`set session_replication_role = default`.execute(one)
  })
}

/** Returns undefined if the column keeps its default. */
function valueOf(column: Column, tenant: Tenant, tables: ReadonlyMap<string, readonly Column[]>): Value | undefined {
  const { table, name, type, required, identity, checked, first, target, targetColumn } = column
  const own = VALUES[table]?.[name]
  if (own) return own(tenant)
  if (name === 'account_id' || (identity && table === 'accounts')) return tenant.account
  if (identity || name === 'user_id' || name === 'router_id') return tenant.number
  if (target !== null) {
    const isTheirs = tables.has(target) && (!OWNERS.includes(target) || isOwner(name))
    if (isTheirs && target !== table) return targetColumn === 'currency' ? 'EUR' : tenant.number
    // The operator's: the only row, or a member of staff.
    return required ? 1 : undefined
  }
  if (type === 'text') return textOf(column, tenant)
  if (!required) return undefined
  if (first !== null) return first
  const digest = createHash('sha256').update(`${tenant.marker} ${table} ${name}`).digest()
  switch (type) {
    case 'timestamp with time zone':
      return /expires|ends|until|next|lapses|due/.test(name) ? soon() : past()
    case 'bytea':
      return digest
    case 'inet':
      return `10.${tenant.octets}`
    case 'boolean':
      return false
    case 'jsonb':
      return '{}'
    case 'text[]':
      return [`${tenant.marker}-${name}`]
    case 'cidr[]':
      return []
    case 'date':
      return '2026-01-01'
    default:
      return checked || type === 'smallint' || type === 'real' ? 1 : tenant.number
  }
}

function textOf({ table, name, required, checked, first }: Column, { marker }: Tenant): Value | undefined {
  if (first !== null) return required ? first : undefined
  if (checked) return required ? `${marker}-${name}` : undefined
  return `${marker}-${table.replaceAll('_', '-')}-${name}`
}

/** Returns everything that belongs to the tenant, as sorted text for comparison. */
export async function rowsOf(db: Db, tables: ReadonlyMap<string, readonly Column[]>, tenant: Tenant): Promise<string> {
  const keys = 'id|user_id|account_id|router_id|connection_id|invoice_id|delivery_id|payment_id|transaction_id'
  const parts: string[] = []
  for (const table of tables.keys()) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(table)} t
       where to_jsonb(t)::text ~ ${`"(${keys})": (${tenant.number}|${tenant.account})\\M`} order by 1`.execute(db)
    parts.push(table, ...rows.map(({ row }) => row))
  }
  return parts.join('\n')
}
