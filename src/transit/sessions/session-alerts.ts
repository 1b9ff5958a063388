/**
 * Alerts a customer once when a BGP session has been down for some minutes, and once when it is back: by email, webhook
 * and audit log. Excludes sessions that the customer disabled, whose router does not run, or whose edge is unreachable.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { notify } from '../../accounts/index.ts'
import type { SessionState } from '../../drivers/edge/index.ts'
import { explainSession } from '../../kernel/bgp-errors.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { findRouters } from '../../routers/index.ts'
import type { TransitWriter } from '../deps.ts'
import { recordSessionAlert } from '../events.ts'
import { ownWindows } from '../maintenance/own-windows.ts'
import { placeText } from '../maintenance/policy.ts'
import { isSilent } from '../edges/edge-assignment.ts'
import { formatUtc } from '../../kernel/utc.ts'

/** The default. Restarts of a router and flaps are shorter. */
const DOWN_MS = 5 * 60_000
/** A session counts as back after this long, since it might be the next flap. Never longer than the time it had to be down. */
const UP_MS = 60_000

type Alerting = TransitWriter & { readonly db: Db }

export function sessionAlertReconciler(deps: Alerting): Reconciler {
  return {
    name: 'session-alerts',
    everyMs: 15_000,
    concurrency: 1,
    wakes: () => null,
    async due() {
      const rows = await waiting(deps)
        .select('connection.id')
        .groupBy('connection.id')
        .orderBy((eb) => eb.fn.min('session.down_since'))
        .limit(200)
        .execute()
      return rows.map(({ id }) => id)
    },
    reconcile: (id) => inTransaction(deps.db, (db) => alert({ ...deps, db }, id)),
  }
}

/** For rows with `alerted_at`, `down_since`, `state` and `since`: down long enough without an alert, or alerted and back. */
export function isAlertDue({ clock, config }: Pick<TransitWriter, 'clock' | 'config'>) {
  const now = clock.now().getTime()
  const downMs = config.SESSION_ALERT_AFTER ?? DOWN_MS
  const lostBefore = new Date(now - downMs)
  const backBefore = new Date(now - Math.min(UP_MS, downMs))
  return sql<boolean>`(alerted_at is null and down_since <= ${lostBefore}
    or alerted_at is not null and state = 'ESTABLISHED' and since <= ${backBefore})`
}

/**
 * Sessions that need an alert. If the owner stopped the router or the account is suspended, other notices say so. Such
 * sessions stay down without an alert, so they must not be due.
 */
const waiting = (deps: Alerting) =>
  deps.db
    .selectFrom('transit_sessions as session')
    .innerJoin('transit_connections as connection', 'connection.id', 'session.connection_id')
    .innerJoin('transit_edges as edge', 'edge.id', 'connection.edge_id')
    .where('connection.enabled', '=', true)
    .where((eb) => eb.not(isSilent('edge')))
    .where((eb) =>
      eb.or([
        eb('session.alerted_at', 'is not', null),
        eb.exists(
          eb
            .selectFrom('routers')
            .select('routers.id')
            .whereRef('routers.id', '=', 'connection.router_id')
            .where('routers.state', '=', 'RUNNING'),
        ),
      ]),
    )
    .where(isAlertDue(deps))

async function alert(deps: Alerting, connectionId: number): Promise<void> {
  const { db } = deps
  const now = deps.clock.now()
  const sessions = await waiting(deps)
    .select(['session.family', 'session.state', 'session.since', 'session.down_since', 'session.last_error'])
    .select(['connection.router_id', 'connection.account_id'])
    .where('connection.id', '=', connectionId)
    .orderBy('session.family')
    .forUpdate(['session'])
    .execute()
  const [first] = sessions
  if (!first) return
  const [router] = first.router_id === null ? [] : await findRouters(db, [first.router_id])
  const back = sessions.filter(({ state }) => state === 'ESTABLISHED')
  const down = sessions.filter(({ state }) => state !== 'ESTABLISHED')
  for (const [changed, content] of [
    [down, downEmail(down, router?.name, down.length === 0 ? [] : await underWay(db, first.account_id, now))],
    [back, backEmail(back, router?.name)],
  ] as const)
    if (content !== null)
      await notify(db, deps, first.account_id, 'sessions', { ...content, action: actionOf(changed) })
  const connection = { id: connectionId, account_id: first.account_id }
  for (const { family, state, ...session } of [...down, ...back]) {
    const change = state === 'ESTABLISHED' ? 'restored' : 'lost'
    const since = change === 'lost' ? session.down_since : session.since
    await recordSessionAlert(db, connection, change, { family, since, error: session.last_error })
    await db
      .updateTable('transit_sessions')
      .set({ alerted_at: change === 'lost' ? now : null })
      .where('connection_id', '=', connectionId)
      .where('family', '=', family)
      .execute()
  }
}

/** Links to the session, or to all sessions when several are reported. */
const actionOf = (sessions: readonly Session[]) =>
  sessions.length === 1
    ? { label: 'View the session', path: `/transit/sessions/${sessions[0]!.family}` }
    : { label: 'View the sessions', path: '/transit' }

interface Session {
  readonly family: 4 | 6
  readonly state: SessionState
  readonly down_since: Date | null
  readonly last_error: string | null
}

const names = (sessions: readonly Session[]): string => sessions.map(({ family }) => `IPv${family}`).join(' and ')
const of = (router: string | undefined): string => (router === undefined ? '' : ` of ${router}`)

/** Mentioned beside the error. The alert is still sent, because the session may be down for another reason. */
const underWay = async (db: Db, accountId: AccountId, now: Date): Promise<string[]> =>
  (await ownWindows(db, accountId, now))
    .filter(({ state, routers }) => state === 'UNDER_WAY' && routers.some(({ sessions }) => sessions))
    .map(
      (one) =>
        `Planned maintenance ${placeText(one.routers.filter(({ sessions }) => sessions))} is under way until ${formatUtc(new Date(one.endsAt))}, which may be the cause: ${one.title}`,
    )

function downEmail(sessions: readonly Session[], router: string | undefined, maintenance: readonly string[]) {
  if (sessions.length === 0) return null
  return {
    subject: `BGP session down: ${names(sessions)}${of(router)}`,
    paragraphs: [
      ...sessions.map(({ family, state, down_since: since, last_error: error }) => {
        const explained = explainSession({ state, lastError: error })
        const why = explained ? `${explained.cause} ${explained.fix}` : error ? `Last error: ${error}.` : ''
        return `The IPv${family} session${of(router)} has been down since ${formatUtc(since!)}. ${why}`.trim()
      }),
      ...maintenance,
      'While a session is down, prefixes of its family are not announced through it. You get one more email when it is back.',
    ],
  }
}

function backEmail(sessions: readonly Session[], router: string | undefined) {
  if (sessions.length === 0) return null
  return {
    subject: `BGP session restored: ${names(sessions)}${of(router)}`,
    paragraphs: [`The ${names(sessions)} session${of(router)} is established again.`],
  }
}
