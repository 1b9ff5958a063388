/**
 * The source of each queue: its rows, each with a time, a title and a reason as text. Each uses an index with few
 * other rows; a test checks the query plans.
 */
import { sql, type RawBuilder } from 'kysely'
import { asnsForStaff } from '../../accounts/index.ts'
import { isDriven } from '../../platform/leases/agent-lease.ts'
import type { QueueName } from './names.ts'

export interface QueueSource {
  /** The id that the cursor uses. */
  readonly id: RawBuilder<number>
  readonly at: RawBuilder<Date>
  readonly title: RawBuilder<string>
  readonly detail: RawBuilder<string>
  /** The account that it belongs to, or the user; both null if there is no owner. */
  readonly accountId: RawBuilder<number | null>
  readonly userId: RawBuilder<number | null>
  /** `from … where …` */
  readonly rows: RawBuilder<unknown>
}

const NULL = sql<null>`null::integer`
const NOBODY = { accountId: NULL, userId: NULL }
const owned = (accountId: RawBuilder<number>) => ({ accountId, userId: NULL })
const of = (userId: RawBuilder<number>) => ({ accountId: NULL, userId })

const prefixes = (status: string): QueueSource => ({
  id: sql`prefix.id`,
  at: sql`prefix.created_at`,
  title: sql`prefix.value::text`,
  detail: sql`coalesce(prefix.status_reason,
    'RPKI ' || lower(replace(prefix.rpki_status, '_', ' ')) || ', IRR ' || lower(replace(prefix.irr_status, '_', ' ')))`,
  ...owned(sql`prefix.account_id`),
  rows: sql`from transit_prefixes prefix where prefix.status = ${sql.lit(status)}`,
})

export const sourcesAt = (now: Date): Readonly<Record<QueueName, QueueSource>> => ({
  prefixes_pending: prefixes('PENDING'),
  prefixes_needing_action: prefixes('NEEDS_ACTION'),
  prefixes_ending: {
    id: sql`prefix.id`,
    at: sql`prefix.suspend_at`,
    title: sql`prefix.value::text`,
    detail: sql`case prefix.space_lost when 'withdrawn' then 'A registry contact withdrew the confirmation'
      when 'moved' then 'The addresses have another holder' else 'The AS-SET or the agreement of the downstream is missing' end`,
    ...owned(sql`prefix.account_id`),
    rows: sql`from transit_prefixes prefix where prefix.status = 'APPROVED' and prefix.suspend_at is not null`,
  },
  asn_verifications: {
    id: sql`holding.account_id`,
    at: sql`holding.claimed_at`,
    title: sql`'AS' || holding.asn`,
    detail: sql`'Claimed; no verification is on its way'::text`,
    ...owned(sql`holding.account_id`),
    rows: asnsForStaff(now),
  },
  second_factor_resets: {
    id: sql`reset.id`,
    at: sql`reset.requested_at`,
    title: sql`'Lost second factor'::text`,
    detail: sql`reset.reason`,
    ...of(sql`reset.user_id`),
    rows: sql`from second_factor_resets reset
      where reset.ended_at is null and reset.approved_at is null and reset.approve_before > ${now}`,
  },
  routers_failed: {
    id: sql`router.id`,
    at: sql`coalesce(router.observed_at, router.desired_at)`,
    title: sql`router.name`,
    detail: sql`router.failure`,
    ...owned(sql`router.account_id`),
    rows: sql`from routers router where router.state = 'FAILED'`,
  },
  invoices_overdue: {
    id: sql`invoice.id`,
    at: sql`invoice.due_at`,
    title: sql`coalesce(invoice.number, 'Invoice ' || invoice.id)`,
    // The amount still owed, not the invoice total.
    detail: sql`coalesce((select sum(amount) from ledger_entries
      where ledger_entries.invoice_id = invoice.id and account = 'receivable'), 0)::text || ' ' || invoice.currency`,
    ...owned(sql`invoice.account_id`),
    rows: sql`from invoices invoice where invoice.status = 'OPEN' and invoice.due_at < ${now}`,
  },
  payments_disputed: {
    id: sql`payment.id`,
    at: sql`coalesce(payment.settled_at, payment.created_at)`,
    title: sql`coalesce((select number from invoices where invoices.id = payment.invoice_id), 'Payment ' || payment.id)`,
    detail: sql`payment.amount::text || ' ' || payment.currency`,
    ...owned(sql`payment.account_id`),
    rows: sql`from payments payment where payment.dispute = 'OPEN'`,
  },
  mails_failed: {
    id: sql`mail.id`,
    at: sql`mail.failed_at`,
    title: sql`mail.subject`,
    detail: sql`mail.to_address || ': ' || coalesce(left(mail.last_error, 300), 'no word of why')`,
    ...of(sql`mail.user_id`),
    rows: sql`from outgoing_mail mail where mail.failed_at is not null and mail.dismissed_at is null`,
  },
  route_limits: {
    id: sql`request.id`,
    at: sql`request.created_at`,
    title: sql`'IPv' || request.family || ': ' || request.routes || ' routes'`,
    detail: sql`request.reason`,
    ...owned(sql`request.account_id`),
    rows: sql`from transit_limit_requests request where request.status = 'OPEN'`,
  },
  edges_failing: {
    id: sql`edge.id`,
    at: sql`coalesce(edge.attempted_at, ${now})`,
    title: sql`edge.name`,
    detail: sql`left(coalesce(nullif(concat_ws(' ', edge.error, edge.upstreams_error, edge.rpki_error, case when edge.reverted_at is not null then 'Reverted: ' || edge.reverted_reason end), ''), 'No agent is running.'), 500)`,
    ...NOBODY,
    rows: sql`from transit_edges edge where edge.error_kind is not null or edge.upstreams_error is not null or edge.rpki_error is not null or edge.reverted_at is not null
      or not ${isDriven('transit_edge_agents', 'edge.slug')}`,
  },
  hypervisors_unreachable: {
    id: sql`host.id`,
    at: sql`coalesce(host.connected_at, ${now})`,
    title: sql`host.name`,
    detail: sql`coalesce(host.fault, case when host.connected then 'No agent is running.' else 'has not answered yet' end)`,
    ...NOBODY,
    rows: sql`from hypervisors host where not (host.connected and ${isDriven('hypervisor_agents', 'host.slug')})`,
  },
})
