/** Requests for prefixes: validated before anything is written, and checked without writing anything. */
import type { AccountId } from '../../kernel/ids.ts'
import { readAsnOwnership, take, type Limit } from '../../accounts/index.ts'
import { formatAsn, reservedAsnReason } from '../../kernel/asn.ts'
import type { ParsedInput } from '../../kernel/endpoint.ts'
import { formatPrefix } from '../../kernel/prefix.ts'
import { invalid, notFound, tooMany, type FieldProblem } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { preparedQuery, type Db, type Places } from '../../platform/db/index.ts'
import { askForCheck } from './checks/check-job.ts'
import { ensureConnection, findConnection, type ConnectionRow } from '../connections/connections.ts'
import { lackProblem, lacksAtRouter } from '../edges/edge-lacks.ts'
import type { CheckProblem, CheckResult, PrefixQuota, TransitApi } from '../contract.ts'
import type { TransitDeps, TransitWriter } from '../deps.ts'
import { mailConsents } from '../contact-links/consents.ts'
import { downstreamIssues } from '../downstreams/evidence.ts'
import { viewDownstream, viewRouteObjects } from '../downstreams/view.ts'
import { recordPrefixRequested } from '../events.ts'
import { irrRemediation, rpkiRemediation } from './checks/remediation.ts'
import { readPolicy } from '../evidence/policy-store.ts'
import { quotaProblem, readQuota } from './quota.ts'
import { claimPrefix, overlapProblem, sizeProblem } from './prefix-ownership.ts'
import { runChecks, type Sources } from './checks/run-checks.ts'
import { DUPLICATE, validatePrefixValue } from './checks/prefix-rules.ts'
import type { PrefixRow } from '../prefix-row.ts'
import { MAX_LISTED, type AnnouncementType } from '../states.ts'

type RequestBody = ParsedInput<TransitApi['POST /api/transit_prefixes']>['body']
type CheckBody = ParsedInput<TransitApi['POST /api/transit_prefixes/check']>['body']

/** Writes the request as PENDING; the checks follow within moments. Throws 422 with all issues. */
export async function requestPrefix(
  deps: TransitWriter,
  db: Db,
  actor: Actor,
  accountId: AccountId,
  body: RequestBody,
): Promise<number> {
  const at = deps.clock.now()
  const connection = await ensureConnection(db, accountId, at)
  const ownership = await readAsnOwnership(db, accountId, at)
  const { prefix } = validatePrefixValue(body.value)
  const wrong = await problemsOf(db, accountId, body, connection)
  if (!prefix || wrong.length > 0) throw invalid(wrong)
  const requestedOrigin = body.originAsn ?? null
  const origins = { ORIGIN: ownership!.asn, STATIC: deps.operator.asn, DOWNSTREAM: requestedOrigin }
  const row = await claimPrefix(db, {
    accountId,
    prefix,
    type: body.announcementType,
    requestedOrigin,
    origin: origins[body.announcementType],
    at,
  })
  await recordPrefixRequested(db, actor, row, body.announcementType)
  await askForCheck(db, row.id)
  return row.id
}

/** Validates the given fields of a request and returns all issues at once. */
export async function validatePrefixRequest(
  db: Db,
  accountId: AccountId,
  body: Partial<RequestBody>,
): Promise<FieldProblem[]> {
  return problemsOf(db, accountId, body, await findConnection(db, accountId))
}

async function problemsOf(
  db: Db,
  accountId: AccountId,
  body: Partial<RequestBody>,
  connection: ConnectionRow | undefined,
) {
  const { value, announcementType, originAsn } = body
  const problems: FieldProblem[] = []
  const onValue = (message: string): unknown => problems.push({ field: 'value', message })
  if (value !== undefined) {
    const validated = validatePrefixValue(value)
    for (const { message } of validated.problems) onValue(message)
    const overlap =
      validated.prefix && validated.problems.length === 0 ? await overlapProblem(db, accountId, validated.prefix) : null
    if (overlap) onValue(overlap)
    const size = validated.prefix && sizeProblem(await readPolicy(db), validated.prefix)
    if (size && validated.problems.length === 0) onValue(size)
  }
  if (announcementType !== undefined) {
    problems.push(...originProblems(announcementType, originAsn, connection?.as_set ?? null))
    if (announcementType === 'STATIC' && (await lacksAtRouter(db, connection?.router_id ?? null)).includes('statics'))
      problems.push(lackProblem('announcementType', 'statics'))
  }
  return problems
}

function originProblems(type: AnnouncementType, originAsn: number | undefined, asSet: string | null): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (type === 'DOWNSTREAM' && asSet === null)
    problems.push({
      field: 'announcementType',
      message: 'DOWNSTREAM requires an AS-SET; set it on the connection first',
    })
  if (originAsn === undefined) return problems
  const reserved = reservedAsnReason(originAsn)
  if (type !== 'DOWNSTREAM') problems.push({ field: 'originAsn', message: 'is only allowed for DOWNSTREAM' })
  else if (reserved)
    problems.push({ field: 'originAsn', message: `${formatAsn(originAsn)} cannot originate: ${reserved}` })
  return problems
}

/** Prefixes that an account may have checked: three full lists, or one prefix a second. */
const CHECKING: Limit = { name: 'prefixes checked', burst: 3 * MAX_LISTED, refillMs: 1_000 }
/** A registry answers one query after another: more at once would delay those of other accounts past their deadline. */
const AT_ONCE = 8
const LIST_DEADLINE_MS = 10_000

/**
 * Returns the check results that requests for these values would get. After the deadline the sources of the remaining
 * values are unknown. Throws 429 when the account has checked too many.
 */
export async function checkValues(
  deps: TransitDeps,
  sources: Sources,
  accountId: AccountId,
  body: CheckBody,
): Promise<CheckResult[]> {
  if (!(await take(deps.db, CHECKING, String(accountId), deps.clock.now(), body.values.length)))
    throw tooMany('Too many prefixes were checked. Wait a minute and try again.', 60)
  const connection = await findConnection(deps.db, accountId)
  const ownership = await readAsnOwnership(deps.db, accountId, deps.clock.now())
  const asn = ownership?.asn ?? null
  const customer: Customer = {
    accountId,
    asn,
    asSet: connection?.as_set ?? null,
    mailConsents:
      asn === null ? new Map() : await mailConsents(deps.db, { accountId, customerAsn: asn, now: deps.clock.now() }),
  }
  const deadline = AbortSignal.timeout(LIST_DEADLINE_MS)
  const results: CheckResult[] = []
  for (let from = 0; from < body.values.length; from += AT_ONCE) {
    const some = body.values.slice(from, from + AT_ONCE)
    results.push(
      ...(await Promise.all(some.map((value) => checkValue(deps, sources, customer, { ...body, value }, deadline)))),
    )
  }
  return withinQuota(withoutDuplicates(results), await readQuota(deps.db, accountId, await readPolicy(deps.db)))
}

const refused = (result: CheckResult, problem: CheckProblem): CheckResult => ({
  ...result,
  acceptable: false,
  problems: [...result.problems, problem],
})

function withoutDuplicates(results: readonly CheckResult[]): CheckResult[] {
  const seen = new Set<string>()
  return results.map((result) => {
    if (result.prefix === null) return result
    if (seen.has(result.prefix)) return refused(result, DUPLICATE)
    seen.add(result.prefix)
    return result
  })
}

/** Treats the results as requests in this order, and refuses those beyond the quota. */
function withinQuota(results: readonly CheckResult[], { prefixes, openRequests }: PrefixQuota): CheckResult[] {
  let more = 0
  return results.map((result) => {
    if (!result.acceptable) return result
    const problem = quotaProblem({
      prefixes: { ...prefixes, used: prefixes.used + more },
      openRequests: { ...openRequests, used: openRequests.used + more },
    })
    if (problem !== null) return refused(result, { code: 'LIMIT', message: problem })
    more++
    return result
  })
}

interface Customer {
  readonly accountId: AccountId
  readonly asn: number | null
  readonly asSet: string | null
  readonly mailConsents: ReadonlyMap<number, Date>
}

async function checkValue(
  deps: TransitDeps,
  sources: Sources,
  customer: Customer,
  asked: { value: string; announcementType: AnnouncementType; originAsn?: number | undefined },
  signal: AbortSignal,
): Promise<CheckResult> {
  const { value, announcementType: type, originAsn } = asked
  const validated = validatePrefixValue(value)
  const { prefix } = validated
  const problems = [...validated.problems]
  for (const { message } of originProblems(type, originAsn, customer.asSet)) problems.push({ code: 'ORIGIN', message })
  if (!prefix) return { ...NOTHING_FOUND, value, problems, remediation: [...validated.remediation] }
  const size = sizeProblem(await readPolicy(deps.db), prefix)
  if (size && problems.length === 0) problems.push({ code: 'TOO_SHORT', message: size })
  const overlap = problems.length === 0 ? await overlapProblem(deps.db, customer.accountId, prefix) : null
  if (overlap) problems.push({ code: 'HELD', message: overlap })
  const requestedOrigin = originAsn ?? null
  const { asn: customerAsn, asSet, mailConsents: consents } = customer
  const operatorAsn = deps.operator.asn
  const checkResults = await runChecks(
    sources,
    {
      prefix,
      type,
      requestedOrigin,
      customerAsn,
      operatorAsn,
      asSet,
      mailConsents: consents,
    },
    signal,
  )
  const { rpki, irr, downstream } = checkResults
  // The request itself would be accepted, and returned to the customer at its first check.
  const issues = downstreamIssues(checkResults, formatPrefix(prefix))
  const concerned = [customerAsn, checkResults.origin].filter((asn) => asn !== null)
  await Promise.all(concerned.map((asn) => deps.registryNames.find(asn)))
  const registryOf = (asn: number) => deps.registryNames.known(asn)
  const subject = { prefix: formatPrefix(prefix), asSet, customerAsn, registryOf, irrSource: deps.irrSource }
  return {
    value,
    prefix: subject.prefix,
    acceptable: problems.length === 0 && issues.length === 0,
    problems: [...problems, ...issues.map(({ kind, text }) => ({ code: PROBLEM_CODE[kind], message: text }))],
    originAsn: checkResults.origin,
    rpkiStatus: rpki.status,
    rpki: { reason: rpki.reason, vrps: [...rpki.vrps], asOf: rpki.asOf?.toISOString() ?? null },
    irrStatus: irr.status,
    irr: { objects: viewRouteObjects(irr.objects), asOf: irr.asOf?.toISOString() ?? null },
    downstream: downstream && viewDownstream(downstream),
    remediation:
      problems.length === 0
        ? [...rpkiRemediation(checkResults, subject), ...irrRemediation(checkResults, subject)]
        : [],
  }
}

const NOTHING_FOUND = {
  prefix: null,
  acceptable: false,
  originAsn: null,
  rpkiStatus: null,
  rpki: null,
  irrStatus: null,
  irr: null,
  downstream: null,
} as const

const PROBLEM_CODE = {
  REFUSED: 'CONSENT',
  NO_CONSENT: 'CONSENT',
  NO_SET: 'AS_SET',
  SET_NOT_OWN: 'AS_SET',
  NOT_MEMBER: 'MEMBERSHIP',
  WEAK_MEMBER: 'MEMBERSHIP',
} as const

/** Newest first. Withdrawn prefixes stay visible as history. */
export const ownPrefixes = preparedQuery(['accountId'], (db, { accountId }: Places<{ accountId: AccountId }>) =>
  db.selectFrom('transit_prefixes').selectAll().where('account_id', '=', accountId).orderBy('id', 'desc').limit(1_000),
)

/** Returns one of the customer's own prefixes, or throws 404. Locks it when it is about to change. */
export async function ownPrefix(db: Db, accountId: AccountId, id: number, lock: 'lock' | 'read'): Promise<PrefixRow> {
  const [row] = await (lock === 'lock' ? lockOwn : readOwn)(db, { accountId, id })
  if (!row) throw notFound()
  return row
}

const own = (db: Db, { accountId, id }: Places<{ accountId: AccountId; id: number }>) =>
  db.selectFrom('transit_prefixes').selectAll().where('id', '=', id).where('account_id', '=', accountId)
const readOwn = preparedQuery(['accountId', 'id'], own)
const lockOwn = preparedQuery(['accountId', 'id'], (db, which: Places<{ accountId: AccountId; id: number }>) =>
  own(db, which).forUpdate(),
)
