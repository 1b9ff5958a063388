/**
 * The stages of a prefix, each with its time and evidence: pure. Its owner and staff both read the details, so these
 * contain neither `you` nor `they`. Cause and fix address the owner.
 */
import { isAuthoritative } from '../../drivers/irr/index.ts'
import { downstreamIssues, type DownstreamIssue } from '../downstreams/evidence.ts'
import { REJECTION_REASONS, type RejectionCode, type SessionState } from '../../drivers/edge/index.ts'
import { formatAsn } from '../../kernel/asn.ts'
import { explainSession } from '../../kernel/bgp-errors.ts'
import { parsePrefix } from '../../kernel/prefix.ts'
import type { Stage } from '../contract.ts'
import { checkResultsOf, remediationSubjectOf, valueOf, type PrefixRow } from '../prefix-row.ts'
import { irrRemediation, rpkiRemediation, type RemediationSubject } from './checks/remediation.ts'
import { loadedSince, isStale, type EdgeStatus } from '../edges/edge-status.ts'
import { REJECTION_FIXES } from '../looking-glass/rejection-fixes.ts'
import { SESSION_LABELS, RESULT_TEXT, type CheckStatus } from '../states.ts'

export interface StageContext extends Omit<RemediationSubject, 'prefix'> {
  readonly operatorAsn: number
  readonly hasRouter: boolean
  /** Whether that router runs. While it does not, the edge withdraws what it originates for it. */
  readonly routerRuns: boolean
  /** The session that would carry the prefix; null while the edge has not reported one. */
  readonly session: {
    readonly state: SessionState
    /** Set when the session was up before and is enabled. */
    readonly downSince: Date | null
    readonly lastError: string | null
  } | null
  readonly edgeStatus: EdgeStatus
  /** Why the edge does not run the desired state, as text; null when it does. */
  readonly edgeError: string | null
}

type StageDetail = Omit<Stage, 'name'>

export function stagesOf(row: PrefixRow, context: StageContext): Stage[] {
  return [
    { name: 'requested', ...requested(row) },
    { name: 'rpki', ...rpki(row, context) },
    { name: 'irr', ...irr(row, context) },
    { name: 'staff', ...staff(row) },
    { name: 'filter', ...filter(row, context) },
    { name: 'received', ...asLastSeen(received(row, context), context) },
    { name: 'accepted', ...asLastSeen(accepted(row), context) },
    { name: 'exported', ...asLastSeen(exported(row, context), context) },
  ]
}

const stage = (
  state: Stage['state'],
  at: Date | null,
  detail: string,
  remediation: Stage['remediation'] = [],
): StageDetail => ({
  state,
  at: at?.toISOString() ?? null,
  detail,
  cause: null,
  fix: null,
  earlier: null,
  todo: null,
  remediation,
})

/** Marks what an unreachable edge last reported as unknown. */
function asLastSeen(stageDetail: StageDetail, { edgeStatus }: StageContext): StageDetail {
  if (!isStale(edgeStatus) || stageDetail.state === 'waiting') return stageDetail
  const holder = edgeStatus.holder!
  const earlier = holder.observed_at && { what: 'as last seen', at: holder.observed_at.toISOString() }
  return { ...stageDetail, state: 'unknown', cause: null, fix: null, earlier }
}

const ORIGINATORS: Readonly<Record<PrefixRow['announcement_type'], string>> = {
  ORIGIN: '',
  DOWNSTREAM: ', a downstream',
  STATIC: ', our edge',
}

const inRfc6811 = (status: CheckStatus): string => `(${RESULT_TEXT[status]}, RFC 6811)`

function requested(row: PrefixRow): StageDetail {
  const origin = row.origin_asn === null ? 'an ASN not yet determined' : formatAsn(row.origin_asn)
  return stage('done', row.created_at, `Originated by ${origin}${ORIGINATORS[row.announcement_type]}`)
}

function rpki(row: PrefixRow, context: StageContext): StageDetail {
  const remediation = rpkiRemediation(checkResultsOf(row), remediationSubjectOf(row, context))
  const covering = row.rpki_vrps.map((vrp) => `${vrp.prefix}-${vrp.maxLength} ${formatAsn(vrp.asn)}`).join(', ')
  switch (row.rpki_status) {
    case 'VALID': {
      const matched = row.rpki_vrps.find((vrp) => vrp.matched)
      const vrp = matched ? `: ${matched.prefix}-${matched.maxLength} ${formatAsn(matched.asn)}` : ''
      return stage('done', row.rpki_as_of, `Authorized by a ROA ${inRfc6811('VALID')}${vrp}`)
    }
    case 'INVALID': {
      const why =
        row.rpki_reason === 'LENGTH'
          ? 'More specific than the ROA’s maxLength'
          : 'Covering ROAs authorize a different origin'
      return stage('failed', row.rpki_as_of, `${why} ${inRfc6811('INVALID')}: ${covering}`, remediation)
    }
    case 'NOT_FOUND':
      return stage(settled(row), row.rpki_as_of, `No ROA found`, remediation)
    case 'UNKNOWN':
      return unknown(row, 'RPKI data', row.rpki_good_status, row.rpki_good_as_of)
  }
}

function irr(row: PrefixRow, context: StageContext): StageDetail {
  const remediation = irrRemediation(checkResultsOf(row), remediationSubjectOf(row, context))
  const exact = row.irr_objects.filter((object) => object.exact)
  const list = (exact.length > 0 ? exact : row.irr_objects)
    .map(
      (object) =>
        `${object.prefix} ${formatAsn(object.origin)} in ${object.source}${isAuthoritative(object.source) ? '' : ' (not authoritative)'}`,
    )
    .join(', ')
  const issues = downstreamIssues(checkResultsOf(row), valueOf(row))
  const open = issues.filter(({ kind }) => !row.accepted_issues.includes(kind))
  if (open.length > 0) return stage('failed', row.irr_as_of, open.map(({ text }) => text).join(' '), remediation)
  switch (row.irr_status) {
    case 'VALID':
      return stage(
        'done',
        row.irr_as_of,
        `Route object with this origin: ${list}${agreement(row, issues)}`,
        remediation,
      )
    case 'INVALID':
      return stage('failed', row.irr_as_of, `Route objects list a different origin: ${list}`, remediation)
    case 'NOT_FOUND': {
      const detail = list ? `No exact route object; covered by ${list}` : 'No route object found'
      return stage(settled(row), row.irr_as_of, detail, remediation)
    }
    case 'UNKNOWN':
      return unknown(row, 'The IRR', row.irr_good_status, row.irr_good_as_of)
  }
}

/** Describes how a downstream agreed, or which issues staff accepted instead. */
function agreement(row: PrefixRow, accepted: readonly DownstreamIssue[]): string {
  if (accepted.length > 0) return `. Accepted by staff: ${accepted.map(({ text }) => text).join(' ')}`
  const consent = row.downstream?.consent
  return consent?.status === 'AGREED' ? `. ${consent.detail}` : ''
}

/** No evidence for or against it: open until staff decide. */
const settled = (row: PrefixRow): Stage['state'] => (row.status === 'APPROVED' ? 'done' : 'waiting')

function unknown(row: PrefixRow, source: string, good: CheckStatus | null, goodAsOf: Date | null): StageDetail {
  if (row.checked_at === null) return stage('waiting', null, 'Checking')
  const earlier = good && goodAsOf && { what: `it was ${RESULT_TEXT[good]}`, at: goodAsOf.toISOString() }
  return { ...stage('unknown', row.checked_at, `${source} is unavailable`), earlier }
}

function staff(row: PrefixRow): StageDetail {
  const reason = row.status_reason ?? ''
  switch (row.status) {
    case 'PENDING':
      // Before the first check, staff have nothing to decide by.
      return stage('waiting', row.checked_at && row.created_at, 'Awaiting a decision by staff')
    case 'NEEDS_ACTION':
      return stage('waiting', null, reason ? `Blocked: ${reason}` : 'Blocked until it is fixed')
    case 'APPROVED':
      return stage('done', row.decided_at, reason || 'Approved')
    case 'REJECTED':
      return stage('failed', row.decided_at, reason ? `Rejected: ${reason}` : 'Rejected')
    case 'SUSPENDED':
      return stage('failed', row.decided_at, reason ? `Suspended: ${reason}` : 'Suspended')
    case 'WITHDRAWN':
      return stage('failed', row.withdrawn_at, 'Withdrawn')
  }
}

function filter(row: PrefixRow, context: StageContext): StageDetail {
  const held = loadedSince(row, context.edgeStatus)
  if (held) {
    return row.status === 'APPROVED'
      ? stage('done', held, 'Loaded in the edge filter')
      : stage('waiting', held, 'Being removed from the edge filter')
  }
  if (row.status !== 'APPROVED') return stage('waiting', null, 'Not in the edge filter')
  if (!context.hasRouter) return { ...stage('waiting', null, 'No router assigned'), todo: 'CHOOSE_ROUTER' }
  if (row.announcement_type === 'STATIC' && !context.routerRuns)
    return stage('waiting', null, 'Withdrawn while the router is not running')
  if (context.edgeError) return stage('failed', null, context.edgeError)
  return stage('waiting', null, 'Being sent to the edge')
}

function received(row: PrefixRow, { session }: StageContext): StageDetail {
  if (row.announcement_type === 'STATIC') {
    return row.imported_at ? stage('done', row.imported_at, 'The edge originates it') : stage('waiting', null, '')
  }
  if (row.received_at) return stage('done', row.received_at, 'Received from the router')
  const value = valueOf(row)
  if (session?.state === 'ESTABLISHED') {
    if (!isLost(row)) return stage('waiting', null, `Session up; ${value} not announced yet`)
    const fix = `Announce exactly ${value}: add it as a network and let the export filter of the router pass it.`
    return { ...stage('failed', row.lost_at, `Session up; ${value} no longer announced by the router`), fix }
  }
  if (session?.downSince && session.state !== 'DISABLED' && isHeld(row)) {
    const down = stage('failed', session.downSince, `IPv${parsePrefix(row.value).family} session down`)
    return { ...down, ...(explainSession(session) ?? { cause: session.lastError }) }
  }
  return stage('waiting', null, session ? `Session down: ${SESSION_LABELS[session.state]}` : 'No session yet')
}

/** In an edge's filter, so it is announced as soon as the edge receives it. */
const isHeld = (row: PrefixRow): boolean => row.status === 'APPROVED' && row.imported_at !== null

/** It was announced before and is not now. That is an error, not a stage that still waits. */
const isLost = (row: PrefixRow): boolean => isHeld(row) && row.lost_at !== null

function accepted(row: PrefixRow): StageDetail {
  if (row.announcement_type === 'STATIC' && row.imported_at) return stage('done', row.imported_at, 'No filter applies')
  if (row.accepted_at) return stage('done', row.accepted_at, 'Accepted by the filter')
  if (row.rejection !== null) {
    const code = row.rejection as RejectionCode
    const why = REJECTION_REASONS[code] ?? `reason ${row.rejection}`
    const fix = REJECTION_FIXES[code] ?? null
    return { ...stage('failed', isLost(row) ? row.lost_at : row.received_at, `Rejected: ${why}`), fix }
  }
  return stage('waiting', null, '')
}

function exported(row: PrefixRow, { operatorAsn }: StageContext): StageDetail {
  if (row.exported_at) return stage('done', row.exported_at, 'Announced to the upstreams')
  const isStatic = row.announcement_type === 'STATIC'
  const carried = row.accepted_at ?? (isStatic ? row.imported_at : null)
  if (!carried) return stage('waiting', null, '')
  if (!isLost(row)) return stage('waiting', null, 'Not announced to an upstream')
  const fix = isStatic
    ? 'Contact support: the edge originates it, and no router has a part in it.'
    : keptBack(operatorAsn)
  return { ...stage('failed', row.lost_at, 'No longer announced to an upstream'), fix }
}

/** Explains which communities of the router keep an accepted route from the upstreams. */
export const keptBack = (operatorAsn: number): string =>
  `Check that the router does not keep it from upstreams by a community (${operatorAsn}:1000:0, ${operatorAsn}:1010:*, 65535:666). If it does not, contact support.`
