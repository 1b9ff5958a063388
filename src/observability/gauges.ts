/**
 * Gauges of queues and states. Each scrape reads them from the database, so that every process reports the same and
 * nothing is counted twice.
 */
import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../kernel/clock.ts'
import type { Db } from '../platform/db/index.ts'
import { isDriven, leaseKeyOf } from '../platform/leases/agent-lease.ts'
import { measureSkew, WORKERS } from '../platform/leases/index.ts'
import type { ReconcilerStats } from '../platform/reconcile.ts'

interface Counted {
  readonly label: string
  readonly count: number
}

/** Label name, help text, and a query with the columns `label` and `count`. */
const COUNTS = {
  longhaul_routers: ['state', 'Routers by state', sql`select state as label, count(*) from routers group by 1`],
  longhaul_prefixes: [
    'status',
    'Prefixes that hold space, by status',
    sql`select status as label, count(*) from transit_prefixes where status not in ('REJECTED', 'WITHDRAWN') group by 1`,
  ],
  longhaul_bgp_sessions: [
    'state',
    'BGP sessions as last reported by the edges, by state',
    sql`select state as label, count(*) from transit_sessions group by 1`,
  ],
  longhaul_hypervisors: [
    'connected',
    'Hypervisors by whether they answer',
    sql`select (connected and ${isDriven('hypervisor_agents', 'hypervisors.slug')})::text as label, count(*)
      from hypervisors group by 1`,
  ],
  longhaul_hypervisor_last_heartbeat_age_seconds: [
    'hypervisor',
    'Seconds since the last heartbeat of its agent, by hypervisor that has had one',
    sql`select host.slug as label, extract(epoch from clock_timestamp() - renewed_at)::float8 as count
      from hypervisors host join leases on key = ${leaseKeyOf('hypervisor_agents', 'host.slug')}`,
  ],
  longhaul_lease_held: [
    'lease',
    'Whether a process holds the lease (1): workers, a hypervisor or an edge',
    sql`select label, (label in (select key from leases where expires_at > clock_timestamp()))::integer as count
      from (select ${sql.lit(WORKERS)} as label
        union select ${leaseKeyOf('hypervisor_agents', 'hypervisors.slug')} from hypervisors
        union select ${leaseKeyOf('transit_edge_agents', 'transit_edges.slug')} from transit_edges) as known`,
  ],
  longhaul_edge_sessions: [
    'edge',
    'Established BGP sessions as last reported, by edge',
    sql`select edge.slug as label, count(session.connection_id) filter (where session.state = 'ESTABLISHED') as count
      from transit_edges edge left join transit_connections connection on connection.edge_id = edge.id
        left join transit_sessions session on session.connection_id = connection.id group by 1`,
  ],
  longhaul_edge_config_out_of_sync: [
    'edge',
    'Whether an edge does not run its desired configuration (1), by edge',
    sql`select slug as label,
      (error_kind is not null or wanted_generation is distinct from running_generation
        or not ${isDriven('transit_edge_agents', 'transit_edges.slug')})::integer as count
      from transit_edges`,
  ],
  longhaul_edge_load_unconfirmed: [
    'edge',
    'Whether a load of an edge needs confirmation by staff (1), by edge',
    sql`select slug as label, exists (select from transit_edge_loads load
        where load.edge_id = transit_edges.id and load.state = 'WAITING')::integer as count from transit_edges`,
  ],
  longhaul_edge_reverted: [
    'edge',
    'Whether staff hold an edge at an earlier load (1), by edge',
    sql`select slug as label, (reverted_at is not null)::integer as count from transit_edges`,
  ],
  longhaul_edge_prefixes_accepted: [
    'edge',
    'Prefixes of customers that an edge accepts, by edge',
    sql`select edge.slug as label, count(prefix.id) as count from transit_edges edge
      left join transit_prefixes prefix on prefix.imported_edge = edge.id and prefix.imported_at is not null
        and (prefix.accepted_at is not null or prefix.announcement_type = 'STATIC') group by 1`,
  ],
  longhaul_edge_prefixes_announced: [
    'edge',
    'Prefixes of customers that an edge announces to an upstream, by edge',
    sql`select edge.slug as label, count(prefix.id) as count from transit_edges edge
      left join transit_prefixes prefix on prefix.imported_edge = edge.id and prefix.exported_at is not null group by 1`,
  ],
  longhaul_edge_upstreams_down: [
    'edge',
    'Upstream sessions of an edge that are down and not disabled, as last reported, by edge',
    sql`select edge.slug as label, count(upstream.down_since) as count from transit_edges edge
      left join transit_upstreams upstream on upstream.edge_id = edge.id where edge.upstreams_at is not null group by 1`,
  ],
  longhaul_edge_vrps: [
    'edge',
    'VRPs that an edge validates routes with, as last reported, by edge',
    sql`select slug as label, rpki_vrps as count from transit_edges where rpki_seen_at is not null`,
  ],
  longhaul_edge_rpki_failing: [
    'edge',
    'Whether the origin validation of an edge cannot be relied on (1), by edge',
    sql`select slug as label, (rpki_error is not null)::integer as count from transit_edges where rpki_seen_at is not null`,
  ],
  longhaul_edge_last_heartbeat_age_seconds: [
    'edge',
    'Seconds since the last heartbeat of its agent, by edge',
    sql`select edge.slug as label, coalesce(extract(epoch from clock_timestamp() - renewed_at), 'Infinity')::float8 as count
      from transit_edges edge left join leases on key = ${leaseKeyOf('transit_edge_agents', 'edge.slug')}`,
  ],
  longhaul_invoices_open: [
    'due',
    'Open invoices, by whether they are overdue',
    sql`select case when due_at < now() then 'over' else 'running' end as label, count(*)
      from invoices where status = 'OPEN' group by 1`,
  ],
  longhaul_queue_depth: [
    'queue',
    'What waits to be sent, by queue',
    sql`select 'mail' as label, count(*) from outgoing_mail where sent_at is null and failed_at is null
      union all select 'webhook_events', count(*) from outgoing_events where dispatched_at is null
      union all select 'webhook_deliveries', count(*) from webhook_deliveries where state = 'PENDING'`,
  ],
  longhaul_queue_oldest_age_seconds: [
    'queue',
    'Age of the oldest of them, by queue; a delivery, which waits for a server of a customer, counts from its next attempt',
    sql`select 'mail' as label, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as count
        from outgoing_mail where sent_at is null and failed_at is null
      union all select 'webhook_events', coalesce(extract(epoch from now() - min(occurred_at)), 0)::float8
        from outgoing_events where dispatched_at is null
      union all select 'webhook_deliveries', coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8
        from webhook_deliveries delivery join webhook_endpoints endpoint on endpoint.id = endpoint_id
        where state = 'PENDING' and enabled and next_attempt_at < now()`,
  ],
} as const

export function addGauges(
  registry: Registry,
  { db, clock, reconcilerStats }: { db: Db; clock: Clock; reconcilerStats: ReconcilerStats },
): void {
  for (const [name, [label, help, question]] of Object.entries(COUNTS)) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const { rows } = await sql<Counted>`${question}`.execute(db)
        gauge.reset()
        for (const { label: value, count } of rows) gauge.set({ [label]: value }, count)
      },
    })
  }
  const skew = new Gauge({
    name: 'longhaul_clock_skew_seconds',
    help: "The clock of this process minus the database's; beyond 60 seconds it holds no lease",
    registers: [registry],
    async collect() {
      skew.set((await measureSkew(db, clock)) / 1_000)
    },
  })
  const reconcile = new Gauge({
    name: 'longhaul_reconcile_items',
    help: 'Rows that a worker of this process is at, that wait for it, and that failed and wait to be tried again',
    labelNames: ['reconciler', 'state'],
    registers: [registry],
    collect() {
      reconcile.reset()
      for (const { name, waiting, underWay, failing } of reconcilerStats.read()) {
        reconcile.set({ reconciler: name, state: 'waiting' }, waiting)
        reconcile.set({ reconciler: name, state: 'in_progress' }, underWay)
        reconcile.set({ reconciler: name, state: 'failing' }, failing)
      }
    },
  })
  const lag = new Gauge({
    name: 'longhaul_reconcile_lag_seconds',
    help: 'How long the oldest row of a worker of this process is wanted and has not succeeded',
    labelNames: ['reconciler'],
    registers: [registry],
    collect() {
      lag.reset()
      for (const { name, lagSeconds } of reconcilerStats.read()) lag.set({ reconciler: name }, lagSeconds)
    },
  })
}
