/** The tables that only routers write. */
import type { AccountId, UserId } from '../kernel/ids.ts'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { MachineState } from '../drivers/hypervisor/index.ts'
import type { RouterState, Task, DesiredState } from './states.ts'

export interface SitesTable {
  id: Generated<number>
  slug: string
  name: string
  /** When it stopped taking new orders. */
  closed_at: Generated<Date | null>
}

export interface HypervisorsTable {
  id: Generated<number>
  slug: string
  name: string
  site_id: number
  driver: 'libvirt' | 'simulated'
  cpus: number
  /** `numeric` arrives as text. */
  cpu_overcommit: ColumnType<string, number | undefined, number>
  memory: number
  /** MiB that are not for routers; null: see `memoryReserve`. */
  memory_reserve: number | null
  disk: number
  drained: Generated<boolean>
  drained_at: Generated<Date | null>
  /** How many routers it had when the drain began. */
  drained_from: Generated<number | null>
  drain_reason: Generated<string | null>
  connected: Generated<boolean>
  connected_at: Date | null
  answered_at: Date | null
  fault: string | null
  /** Why its routers are not restricted to their own addresses. */
  port_rules_error: string | null
  cpu_usage: number | null
  memory_usage: number | null
  facts: ColumnType<unknown, string | undefined, string>
  /** Null before its first report. */
  images: ColumnType<unknown, string | null | undefined, string | null>
}

export interface HypervisorAgentsTable {
  slug: string
  installation: string | null
  url: string | null
  waiting: string | null
  waiting_at: Date | null
}

export interface ImagesTable {
  id: Generated<number>
  slug: string
  name: string
  description: string
  source: string
  position: Generated<number>
  retired_at: Date | null
}

export interface PlansTable {
  id: Generated<number>
  slug: string
  name: string
  cpus: number
  memory: number
  disk_size: number
  hourly_price: number
  monthly_price: number
  /** Charged once for each router. */
  setup_price: Generated<number>
  currency: string
  position: Generated<number>
  retired_at: Date | null
}

export interface AddressPoolsTable {
  id: Generated<number>
  site_id: number
  prefix4: string
  gateway4: string
  prefix6: string
  gateway6: string
  /** When it stopped giving out addresses. */
  closed_at: Generated<Date | null>
}

export interface RoutersTable {
  id: Generated<number>
  uuid: Generated<string>
  account_id: AccountId
  name: string
  site_id: number
  hypervisor_id: number
  plan_id: number
  /** As in the catalogue when it was ordered. */
  setup_price: Generated<number>
  image_id: number
  cpus: number
  memory: number
  disk_size: number
  ssh_keys: Generated<string[]>
  created_at: Generated<Date>

  desired_state: Generated<DesiredState>
  /** When a deletion can no longer be undone; null also once its purge has begun. */
  purge_at: Generated<Date | null>
  /** The desired state before a deletion that can be undone. */
  previous_desired_state: Generated<Exclude<DesiredState, 'absent'> | null>
  /** It can be neither deleted nor reinstalled until this is off. */
  delete_protected: Generated<boolean>
  stop_mode: Generated<'graceful' | 'force'>
  task: Task | null
  task_phase: 'down' | 'up' | null
  suspended: Generated<boolean>
  generation: Generated<number>
  desired_at: Generated<Date>

  /** Its machine was told to start once, so its disk may hold data: it never leaves its host. */
  booted: Generated<boolean>
  observed: Generated<MachineState>
  observed_at: Date | null
  started_at: Date | null
  ready_at: Date | null
  /** When the current boot was asked to end. */
  stop_asked_at: Date | null
  machine_digest: string | null
  needs_restart: Generated<boolean>
  config_digest: string | null
  config_at: Date | null
  config_error: string | null
  /** Why BIRD in the guest runs without its owner's files; null when it loaded them. */
  own_files_error: string | null
  own_files_retry_at: Date | null

  address_at: Date | null
  disk_at: Date | null
  boot_at: Date | null
  reachable_at: Date | null

  failure: string | null
  failure_detail: string | null
  failures: Generated<number>
  /** Since when it has been down though it should run. */
  trouble_since: Generated<Date | null>
  trouble_emailed_at: Generated<Date | null>
  retry_at: Date | null

  due_at: Generated<Date | null>
  checked_at: Date | null
  /** The state of the row by `viewState`, for lists. */
  state: GeneratedAlways<RouterState>
  /** The state that was last published to customers. */
  published_state: string | null
}

/** Hosts that could not make a router, so that it moved to another. */
export interface RouterMovesTable {
  router_id: number
  hypervisor_id: number
  at: Date
}

export interface AddressLeasesTable {
  router_id: number
  pool_id: number
  host_number: number
  address4: string
  address6: string
}

export interface RouterUsagePeriodsTable {
  id: Generated<number>
  router_id: number
  account_id: AccountId
  router_name: string
  plan_slug: string
  plan_name: string
  hourly_price: number
  monthly_price: number
  currency: string
  started_at: Date
  ended_at: Date | null
}

export interface RouterCountersTable {
  router_id: number
  at: Date
  cpu_ns: string
  rx_bytes: string
  tx_bytes: string
}

export interface RouterSamplesTable {
  router_id: number
  at: Date
  seconds: number
  cpu_seconds: number | null
  memory: number | null
  rx_bytes: number
  tx_bytes: number
}

export interface RouterSlotsTable extends Omit<RouterSamplesTable, 'at'> {
  account_id: AccountId
  /** The start of the five minutes. */
  slot: Date
}

export interface HypervisorSlotsTable {
  hypervisor_id: number
  /** The start of the five minutes. */
  slot: Date
  readings: Generated<number>
  /** Sums over the readings, of fractions from 0 to 1. */
  cpu_usage: Generated<number>
  memory_usage: Generated<number>
  /** How many of its 300 seconds its routers were measured; bytes that they carried in them. */
  seconds: Generated<number>
  rx_bytes: Generated<number>
  tx_bytes: Generated<number>
}

export interface ConsoleTicketsTable {
  digest: Buffer
  router_id: number
  user_id: UserId
  session_id: number | null
  token_id: number | null
  kind: 'serial' | 'display'
  expires_at: Date
}

declare module '../platform/db/tables.ts' {
  interface Tables {
    sites: SitesTable
    hypervisors: HypervisorsTable
    hypervisor_agents: HypervisorAgentsTable
    images: ImagesTable
    plans: PlansTable
    address_pools: AddressPoolsTable
    routers: RoutersTable
    router_moves: RouterMovesTable
    address_leases: AddressLeasesTable
    router_usage_periods: RouterUsagePeriodsTable
    router_counters: RouterCountersTable
    router_samples: RouterSamplesTable
    router_slots: RouterSlotsTable
    hypervisor_slots: HypervisorSlotsTable
    console_tickets: ConsoleTicketsTable
  }
}
