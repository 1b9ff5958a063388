/** Explains why a prefix is not announced: its stages in order, with what the edge receives now instead of what was last stored. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Reply } from '../../kernel/endpoint.ts'
import type { Stage, TransitApi, TransitPrefix } from '../contract.ts'
import type { TransitDeps } from '../deps.ts'
import { ownPrefixes } from '../prefixes/requests.ts'
import { viewPrefixes } from '../prefixes/prefix-views.ts'
import { keptBack } from '../prefixes/stages.ts'
import { valueOf } from '../prefix-row.ts'
import { receivedRoutes } from './views.ts'

type Why = Reply<TransitApi['GET /api/transit_connection/why']>
type Heard = Why['heard'][number]
type Verdict = Pick<Why, 'announced' | 'at' | 'answer' | 'next'>

const MAX_HEARD = 10

export async function explainPrefix(deps: TransitDeps, accountId: AccountId, prefix: string): Promise<Why> {
  const rows = await ownPrefixes(deps.db, { accountId })
  const exact = rows.filter((row) => valueOf(row) === prefix)
  const row = exact.find(({ status }) => status !== 'WITHDRAWN') ?? exact[0]
  const [request] = row ? await viewPrefixes(deps, deps.db, accountId, [row]) : []
  const { routes: heard, error } = await receivedRoutes(deps, accountId, { search: prefix, limit: MAX_HEARD })
  const verdict = request
    ? ofRequest(request, heard, { operatorAsn: deps.operator.asn, unheard: error !== null })
    : ofNone(prefix, heard)
  return { ...verdict, prefix, heard, error, request: request ? { id: request.id, stages: request.stages } : null }
}

function ofNone(prefix: string, heard: readonly Heard[]): Verdict {
  const route = heard.find((one) => one.prefix === prefix)
  const around = heard.find((one) => one.accepted)
  const next = around
    ? `${around.prefix} is accepted. Announce that one, or request ${prefix} as well.`
    : `Request ${prefix} under IP Transit.`
  const hears = route ? ' The edge receives it from your router and rejects it.' : ''
  return { announced: false, at: 'requested', answer: `${prefix} was not requested.${hears}`, next }
}

/** Explains the first stage that is not done. Check results count only until staff have decided. */
function ofRequest(
  request: TransitPrefix,
  heard: readonly Heard[],
  { operatorAsn, unheard }: { operatorAsn: number; unheard: boolean },
): Verdict {
  const { value, stages, announcementType } = request
  const detailOf = (name: string): string => stages.find((stage) => stage.name === name)?.detail ?? ''
  const stop = (at: NonNullable<Verdict['at']>, answer: string, next: string | null): Verdict => ({
    announced: false,
    at,
    answer,
    next,
  })
  if (request.status !== 'APPROVED') {
    const failed = stages.find(({ name, state }) => (name === 'rpki' || name === 'irr') && state === 'failed')
    if (request.status === 'WITHDRAWN')
      return stop('requested', `${value} was withdrawn.`, `Request ${value} again under IP Transit.`)
    if (request.status === 'NEEDS_ACTION')
      return stop(
        failed?.name ?? 'staff',
        failed ? `${failed.detail}.` : detailOf('staff'),
        'Fix what the prefix page names, then check again.',
      )
    const next =
      request.status === 'PENDING'
        ? 'Nothing to do: you get an email when it is decided.'
        : 'Open the prefix to read what is needed.'
    return stop('staff', `${value}: ${detailOf('staff')}.`, next)
  }
  const filter = stages.find(({ name }) => name === 'filter')!
  if (filter.state !== 'done')
    return stop(
      'filter',
      `${value} is approved and not in the edge filter: ${filter.detail}.`,
      filter.todo === 'CHOOSE_ROUTER' ? 'Choose a router under IP Transit.' : 'The edge loads it automatically.',
    )
  const exported = stages.find(({ name }) => name === 'exported')!
  if (announcementType !== 'STATIC') {
    const route = heard.find((one) => one.prefix === value)
    if (route?.reason) return stop('accepted', `${value}: ${route.reason.text}`, route.reason.fix)
    const noted = stages.find(({ name, state }) => (name === 'received' || name === 'accepted') && state === 'failed')
    if (unheard && noted) return stop(noted.name, sayFailure(value, noted), noted.fix)
    if (!unheard && !route) return notHeard(request, heard, stop)
  }
  if (exported.state === 'done')
    return {
      announced: true,
      at: null,
      answer: `${value} is accepted and announced to the upstreams.`,
      next: 'If others do not see it yet, their filters may not have your ROA or route object: allow a day.',
    }
  if (exported.state === 'unknown')
    return stop('exported', `${value} was announced when the edge was last heard.`, 'Look again when the edge is back.')
  return stop(
    'exported',
    `${value} is accepted and not announced to the upstreams.`,
    exported.fix ?? keptBack(operatorAsn),
  )
}

const sayFailure = (value: string, { detail, cause }: Stage): string =>
  `${value}: ${detail}.${cause ? ` ${cause}` : ''}`

function notHeard(
  { value, stages }: TransitPrefix,
  heard: readonly Heard[],
  stop: (at: 'received', answer: string, next: string) => Verdict,
): Verdict {
  const received = stages.find(({ name }) => name === 'received')!
  if (received.state !== 'done' && !received.detail.startsWith('Session up'))
    return stop(
      'received',
      sayFailure(value, received),
      received.fix ?? 'Check the router and its BGP session under IP Transit.',
    )
  const instead = heard.slice(0, 3).map(({ prefix }) => prefix)
  return stop(
    'received',
    instead.length > 0
      ? `Your router does not announce ${value}. It announces ${instead.join(', ')} instead.`
      : `Your router does not announce ${value}.`,
    `Announce exactly ${value}: add it as a network and let your export filter pass it.`,
  )
}
