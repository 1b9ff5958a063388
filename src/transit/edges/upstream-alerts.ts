/**
 * Alerts staff once when an upstream session of an edge has been down for some minutes, and once when it is back. Sends
 * nothing about an edge that is unreachable.
 */
import { notifyStaff, type Notification } from '../../accounts/index.ts'
import { formatAsn } from '../../kernel/asn.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { TransitWriter } from '../deps.ts'
import { isAlertDue } from '../sessions/session-alerts.ts'
import { isSilent } from './edge-assignment.ts'
import { formatUtc } from '../../kernel/utc.ts'

type Alerting = TransitWriter & { readonly db: Db }

export function upstreamAlertReconciler(deps: Alerting): Reconciler {
  return {
    name: 'upstream-alerts',
    everyMs: 15_000,
    concurrency: 1,
    wakes: () => null,
    async due() {
      const rows = await waiting(deps).select('upstream.edge_id').distinct().execute()
      return rows.map(({ edge_id: id }) => id)
    },
    reconcile: (id) => inTransaction(deps.db, (db) => alert({ ...deps, db }, id)),
  }
}

/** Sessions that need an alert. */
const waiting = (deps: Alerting) =>
  deps.db
    .selectFrom('transit_upstreams as upstream')
    .innerJoin('transit_edges as edge', 'edge.id', 'upstream.edge_id')
    .where((eb) => eb.not(isSilent('edge')))
    .where(isAlertDue(deps))

async function alert(deps: Alerting, edgeId: number): Promise<void> {
  const { db } = deps
  const upstreams = await waiting(deps)
    .select(['upstream.name', 'upstream.asn', 'upstream.address', 'upstream.state', 'upstream.down_since'])
    .select(['upstream.last_error', 'edge.name as edge'])
    .where('edge.id', '=', edgeId)
    .orderBy('upstream.name')
    .forUpdate(['upstream'])
    .execute()
  const down = upstreams.filter(({ state }) => state !== 'ESTABLISHED')
  const back = upstreams.filter(({ state }) => state === 'ESTABLISHED')
  if (down.length > 0) await notifyStaff(db, deps, downEmail(down))
  if (back.length > 0) await notifyStaff(db, deps, backEmail(back))
  for (const [changed, alertedAt] of [
    [down, deps.clock.now()],
    [back, null],
  ] as const) {
    if (changed.length === 0) continue
    await db
      .updateTable('transit_upstreams')
      .set({ alerted_at: alertedAt })
      .where('edge_id', '=', edgeId)
      .where(
        'name',
        'in',
        changed.map(({ name }) => name),
      )
      .execute()
  }
}

interface Upstream {
  readonly name: string
  readonly asn: number
  readonly address: string
  readonly edge: string
  readonly down_since: Date | null
  readonly last_error: string | null
}

const names = (upstreams: readonly Upstream[]): string => upstreams.map(({ name }) => name).join(', ')
const action = { label: 'View the edges', path: '/admin/inventory/edges' }

const downEmail = (upstreams: readonly Upstream[]): Notification => ({
  subject: `Upstream down: ${names(upstreams)} on ${upstreams[0]!.edge}`,
  paragraphs: [
    ...upstreams.map(
      ({ name, asn, address, edge, down_since: since, last_error: error }) =>
        `The session ${name} of ${edge} with ${formatAsn(asn)} at ${address} has been down since ${formatUtc(since!)}. ${error === null ? 'The edge reports no error.' : `Last error: ${error}.`}`,
    ),
    'Traffic of its customers takes the other upstreams of the edge, if any. You get one more email when it is back.',
  ],
  action,
})

const backEmail = (upstreams: readonly Upstream[]): Notification => ({
  subject: `Upstream restored: ${names(upstreams)} on ${upstreams[0]!.edge}`,
  paragraphs: upstreams.map(
    ({ name, asn, edge }) => `The session ${name} of ${edge} with ${formatAsn(asn)} is established again.`,
  ),
  action,
})
