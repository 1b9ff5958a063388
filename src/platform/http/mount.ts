/**
 * Binds a slice's contract to its handlers. Each request goes through the same steps: caller, schema, transaction,
 * handler, response. A missing handler is a type error.
 */
import type { UserId } from '../../kernel/ids.ts'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { missingRoleReason } from '../../kernel/required-role.ts'
import type { Access, Api, Endpoint, EndpointKey, FileAnswer, ParsedInput, Reply } from '../../kernel/endpoint.ts'
import { forbidden, invalid, unauthorized, type FieldProblem } from '../../kernel/problem.ts'
import { scopeOf, type Area } from '../../kernel/scope.ts'
import type { Actor } from '../audit.ts'
import { inTransaction, type Db } from '../db/index.ts'
import type { Log } from '../log.ts'
import { step } from '../trace.ts'
import { actorOf, callerOf, requireStillElevated, recordImpersonatedAction } from './impersonation.ts'
import { answerOnce, claimKey, rememberAnswer, type KeyedRequest, type Remembered } from './idempotency.ts'
import { readBody, parseParams, parseQuery } from './parse.ts'
import { requireNotSuspended, requireScope, requireStaff, type Principal } from './principal.ts'

export interface Context<A extends Access = Access> {
  readonly principal: A extends 'public' ? Principal | null : Principal
  /**
   * The request's transaction for unsafe methods; the pool for GET and for `transaction: 'own'`. A handler's writes
   * through it commit with the response.
   */
  readonly db: Db
  /** For the audit log. Its kind is `staff` on endpoints that only staff may call. */
  readonly actor: Actor
  readonly ip: string
  readonly userAgent: string
  readonly requestId: string
  readonly log: Log
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Runs after the commit, before the response is sent. It does not run for replays. */
  afterCommit(act: () => Promise<void>): void
}

/**
 * A response that is read after the commit and what follows it, so that reading it delays neither. With an idempotency
 * key it is also read in the transaction: a request that is sent again after a crash gets that one.
 */
export class LaterResponse<T> {
  readonly read: (db: Db) => Promise<T>
  constructor(read: (db: Db) => Promise<T>) {
    this.read = read
  }
}

type AccessOf<E> = E extends { readonly access: infer A extends Access } ? A : Access

/** `{id}` in the path of a user is the id of a user, not of an account. */
type InputOf<A extends Api, K extends keyof A> = ParsedInput<A[K]> &
  (K extends `${string}/users/{id}${string}` | `${string}/staff/{id}${string}`
    ? { readonly params: { readonly id: UserId } }
    : unknown)

export type Handlers<A extends Api> = {
  readonly [K in keyof A]: (
    input: InputOf<A, K>,
    context: Context<AccessOf<A[K]>>,
  ) => Promise<Reply<A[K]> | LaterResponse<Reply<A[K]>>> | Reply<A[K]>
}

/** Further issues of fields that fit the schema, reported together with the schema's. */
export type IssueChecks<A extends Api> = {
  readonly [K in keyof A]?: (
    validFields: Partial<A[K] extends { body: { _zod: { output: infer O } } } ? O : never>,
    asking: {
      readonly db: Db
      readonly principal: Context<AccessOf<A[K]>>['principal']
      readonly params: ParsedInput<A[K]> extends { readonly params: infer P } ? P : undefined
    },
  ) => Promise<readonly FieldProblem[]>
}
type AnyIssueCheck = (validFields: object, asking: object) => Promise<readonly FieldProblem[]>

/**
 * Queries external services first, so that no transaction is open meanwhile. It runs again when the request is repeated
 * with its key, and it may be interrupted: it must be idempotent.
 */
export type Preparations<A extends Api> = {
  readonly [K in keyof A]?: (input: ParsedInput<A[K]>) => Promise<void>
}
type AnyPreparation = (input: Record<string, unknown>) => Promise<void>

type AnyHandler = (input: Record<string, unknown>, context: Context) => unknown

export interface MountOptions<A extends Api> {
  readonly db: Db
  /** The scopes that these endpoints accept. */
  readonly area: Area
  readonly issueChecks?: IssueChecks<A>
  readonly beforeTransaction?: Preparations<A>
}

export function mount<A extends Api>(
  app: FastifyInstance,
  api: A,
  handlers: Handlers<A>,
  options: MountOptions<A>,
): void {
  for (const [key, endpoint] of Object.entries(api) as [EndpointKey, Endpoint][]) {
    const [method, path] = key.split(' ') as [string, string]
    const handler = handlers[key as keyof A] as unknown as AnyHandler
    const checkIssues = options.issueChecks?.[key as keyof A] as unknown as AnyIssueCheck | undefined
    const prepare = options.beforeTransaction?.[key as keyof A] as unknown as AnyPreparation | undefined
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { endpoint: key, ...(endpoint.impersonation && { impersonation: endpoint.impersonation }) },
      handler: (request, reply) =>
        handle(request, reply, { key, endpoint, handler, checkIssues, prepare, db: options.db, area: options.area }),
    })
  }
}

interface Mounted {
  readonly key: EndpointKey
  readonly endpoint: Endpoint
  readonly handler: AnyHandler
  readonly checkIssues: AnyIssueCheck | undefined
  readonly prepare: AnyPreparation | undefined
  readonly db: Db
  readonly area: Area
}

async function handle(request: FastifyRequest, reply: FastifyReply, mounted: Mounted): Promise<FastifyReply> {
  const { key, endpoint, handler, checkIssues, prepare, db, area } = mounted
  const principal = request.principal
  // The endpoint's method, not the request's: HEAD means the same as GET, without the body (RFC 9110, section 9.3.2).
  const [method] = key.split(' ') as [string]
  const isMutation = method !== 'GET' && endpoint.impersonation !== 'always'
  allow(endpoint, principal)
  if (principal && endpoint.access !== 'public') {
    requireScope(principal, scopeOf(area, { method, access: endpoint.access }))
    if (isMutation && NOT_WHILE_SUSPENDED.has(area)) requireNotSuspended(principal)
  }
  const input: Record<string, unknown> = {}
  if (endpoint.params) input['params'] = parseParams(endpoint.params, request.params)
  if (endpoint.query) input['query'] = parseQuery(endpoint.query, request.query)
  if (endpoint.body) {
    const read = readBody(endpoint.body, request.body)
    if (!('body' in read)) {
      const asking = { db, principal, params: input['params'] }
      throw invalid([...read.wrong, ...((await checkIssues?.(read.validFields, asking)) ?? [])])
    }
    input['body'] = read.body
  }

  const afterCommit: (() => Promise<void>)[] = []
  const contextOn = (connection: Db): Context => ({
    principal: principal as Principal,
    db: connection,
    actor: actorOf(request, endpoint),
    ip: request.ip,
    userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300),
    requestId: request.id,
    log: request.log as Log,
    request,
    reply,
    afterCommit: (act) => afterCommit.push(act),
  })
  if (endpoint.file !== undefined) {
    const file = (await step('handler', async () => handler(input, contextOn(db)))) as FileAnswer
    return sendFile(reply, endpoint.file, file)
  }
  const commitsItself = endpoint.transaction === 'own'
  const idempotencyKey = request.headers['idempotency-key']
  const keyed =
    method !== 'GET' && typeof idempotencyKey === 'string' && !endpoint.keyless
      ? keyedRequest(request, key, idempotencyKey)
      : null
  const act = async (connection: Db) => {
    if (isMutation && commitsItself) await requireStillElevated(request)
    const returned = await step('handler', async () => handler(input, contextOn(connection)))
    const later = returned instanceof LaterResponse && method !== 'GET' && !commitsItself ? returned : null
    const isAwaited = later !== null && keyed === null
    const answer = isAwaited
      ? undefined
      : shape(endpoint, returned instanceof LaterResponse ? await returned.read(connection) : returned)
    if (isMutation && !commitsItself) await requireStillElevated(request)
    if (isMutation) await recordImpersonatedAction(connection, actorOf(request, endpoint), request, mounted)
    return { answer, later }
  }

  const [status] = endpoint.ok
  if (method === 'GET') return send(reply, status, (await act(db)).answer)
  if (commitsItself) {
    const actNow = async (): Promise<Remembered> => ({ status, answer: (await act(db)).answer })
    const { answer } = await (keyed ? answerOnce(db, keyed, request.server.responseEncryption, actNow) : actNow())
    return send(reply, status, answer)
  }

  await prepare?.(input)
  const answered = await inTransaction(db, async (transaction) => {
    afterCommit.length = 0
    if (!keyed) return { status, ...(await act(transaction)), replayed: false }
    const first = await claimKey(transaction, keyed)
    if (first) return { status: first.status, answer: inOrder(endpoint, first.answer), later: null, replayed: true }
    const acted = await act(transaction)
    await rememberAnswer(transaction, keyed, { status, answer: acted.answer })
    return { status, ...acted, replayed: false }
  })
  let answer = answered.answer
  if (!answered.replayed) {
    for (const run of afterCommit) await run()
    if (answered.later) answer = shape(endpoint, await answered.later.read(db))
    if (keyed && answer !== answered.answer) await rememberAnswer(db, keyed, { status: answered.status, answer })
  }
  return send(reply, answered.status, answer)
}

/**
 * A suspended account changes nothing there. It cannot delete either, because that would remove evidence (decision 39).
 */
const NOT_WHILE_SUSPENDED: ReadonlySet<Area> = new Set(['routers', 'transit'])

function allow({ access, requiredRole }: Endpoint, principal: Principal | null): void {
  if (access === 'public') return
  if (!principal) throw unauthorized()
  if (access === 'admin') requireStaff(principal)
  const denial = requiredRole && missingRoleReason(principal.roles, requiredRole)
  if (denial) throw forbidden(denial, 'insufficient_role')
  if (access === 'verified' && !principal.asnVerifiedAt) {
    throw forbidden(principal.isAdmin ? OF_CUSTOMERS : 'Verify your ASN first.', 'asn_unverified')
  }
}

/** The code is the same because the rule is, but staff are not missing a proof of an ASN. */
const OF_CUSTOMERS =
  'This shows your own resources, and you have no verified ASN. Use /api/admin for customer resources, or view as a customer.'

/**
 * Removes fields that the contract does not list. A handler that returns the wrong shape is a bug: it throws, and
 * becomes a 500.
 */
const shape = (endpoint: Endpoint, value: unknown): unknown =>
  endpoint.ok[1] ? endpoint.ok[1].parse(value) : undefined

/**
 * The database reorders the keys of JSON. A response of an earlier release may have another shape, and is returned
 * unchanged.
 */
const inOrder = (endpoint: Endpoint, answer: unknown): unknown => endpoint.ok[1]?.safeParse(answer).data ?? answer

const keyedRequest = (request: FastifyRequest, endpoint: EndpointKey, key: string): KeyedRequest => ({
  caller: callerOf(request),
  key,
  endpoint: `${endpoint} ${JSON.stringify(request.params)}`,
  body: request.body,
})

function send(reply: FastifyReply, status: number, answer: unknown): FastifyReply {
  reply.code(status)
  return answer === undefined || answer === null
    ? reply.send()
    : reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
}

function sendFile(reply: FastifyReply, type: string, { name, body }: FileAnswer): FastifyReply {
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : Readable.from(body)
  return reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(sent)
}
