/**
 * Section 6 at the server: every endpoint of the published document, called by everyone. The document decides what each
 * caller may get, so an endpoint added tomorrow is in the matrix tomorrow.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProduct } from '../product.ts'
import { createCaller, signIn, signUp, verifyAsn, type Account, type Answer, type Caller } from './api-client.ts'
import { sample, type Schema } from './sample.ts'

interface Operation {
  /** An endpoint without JSON: tested separately, below. */
  readonly 'x-non-json'?: true
  readonly 'x-access': 'public' | 'session' | 'verified' | 'admin'
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
  readonly responses: Readonly<Record<string, unknown>>
}
interface Call {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

// A separate server: by the end, allowed requests have changed much of the demonstration's data.
const testServer = await startProduct({ COMPUTE: 'simulated', EDGE: 'simulated' })
afterAll(() => testServer.stop())

const ABSENT = 2_147_483_647
const ROLES = ['anonymous', 'unverified', 'other', 'owner', 'staff'] as const
type Role = (typeof ROLES)[number]

const document = await createCaller(testServer.url).must<{ paths: Record<string, Record<string, Operation>> }>(
  'GET',
  '/api/openapi.json',
)
const ENDPOINTS: readonly Call[] = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([, operation]) => operation['x-non-json'] === undefined)
    .map(([method, operation]): Call => ({
      key: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
)
/** Closing the account comes last: it succeeds. */
const CLOSING = 'POST /api/user/close'
const requestsFor = (...access: readonly Operation['x-access'][]): readonly Call[] =>
  ENDPOINTS.filter(({ operation }) => access.includes(operation['x-access']))
const withId = (calls: readonly Call[]): readonly Call[] => calls.filter(({ path }) => path.includes('{'))

const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBcHWXJQm6yUqzpA4Ie6U2VYVwKc9yYcGJkZ0cFv3z8M matrix@example.org'

/** Bodies where the schema alone does not give a meaningful request. */
const BODIES: Readonly<Record<string, unknown>> = {
  'PATCH /api/virtual_machines/{id}': { name: 'renamed' },
  'POST /api/virtual_machines/{id}/actions': { action: 'reboot' },
  'PUT /api/transit_connection': {},
}
const bodyOf = ({ key, operation }: Call): unknown => {
  const schema = operation.requestBody?.content['application/json'].schema
  return BODIES[key] ?? (schema ? sample(schema) : undefined)
}

const callers = new Map<Role, Caller>()
/** Ids of the owner's things, by their path. */
const owned = new Map<string, number>()
/** Texts that no other user may find in any response. */
const secrets: string[] = []
let accounts: Readonly<Partial<Record<Role, Account>>>

beforeAll(async () => {
  const [owner, other] = [await signUp(testServer, 'matrix-owner'), await signUp(testServer, 'matrix-other')]
  const staff = await signIn(testServer.url, 'staff')
  const { hypervisors } = await staff.graphql<{ hypervisors: { databaseId: number }[] }>(
    '{ hypervisors { databaseId } }',
  )
  owned.set('/api/admin/hypervisors', hypervisors[0]!.databaseId)
  await verifyAsn(testServer, owner, 500_034)
  await verifyAsn(testServer, other, 500_035)
  accounts = { owner, other }
  await seedOwner(owner)
})

/** Gives the owner one of each thing that has an id. */
async function seedOwner(owner: Account): Promise<void> {
  const caller = await signIn(testServer.url, owner)
  const { id: userId } = await caller.must<{ id: number }>('GET', '/api/user')
  const create = async (path: string, body: unknown): Promise<number> => {
    const { id } = await caller.must<{ id: number }>('POST', path, body)
    owned.set(path, id)
    return id
  }
  await create('/api/account/payment_methods', { token: 'pm_card_visa' })
  const order = { name: 'matrix-router', site: 'ams1', plan: 'lark', image: 'longhaul-appliance' }
  const router = await create('/api/virtual_machines', order)
  const { uuid } = await caller.must<{ uuid: string }>('GET', `/api/virtual_machines/${router}`)
  const prefix = await create('/api/transit_prefixes', { value: '45.30.34.0/24', announcementType: 'ORIGIN' })
  await create('/api/user/api_tokens', { name: 'matrix', scopes: ['routers:read'] })
  await create('/api/webhooks', { url: 'https://hooks.example.net/matrix', events: ['router.created'] })
  await create('/api/user/ssh_keys', { name: 'matrix', publicKey: SSH_KEY })
  const [session] = await caller.must<{ id: number }[]>('GET', '/api/sessions')
  owned.set('/api/sessions', session!.id)
  owned.set('/api/admin/transit_prefixes', prefix)
  owned.set('/api/admin/virtual_machines', router)
  owned.set('/api/admin/users', userId)
  secrets.push(owner.email, 'matrix-router', uuid)
}

/** Returns the role's session; a new one when the last request has ended it. */
async function callerFor(role: Role): Promise<Caller> {
  const known = callers.get(role)
  if (known && (role === 'anonymous' || (await known.send('GET', '/api/user')).status === 200)) return known
  const who = role === 'unverified' ? 'newcomer' : role === 'owner' || role === 'other' ? accounts[role]! : role
  const caller = await signIn(testServer.url, who)
  callers.set(role, caller)
  return caller
}

const collectionOf = (path: string): string => path.slice(0, path.indexOf('/{'))

async function ask(role: Role, call: Call, id: number | string = ABSENT, headers = {}): Promise<Answer> {
  const caller = await callerFor(role)
  const target = call.path.replaceAll(/\{\w+\}/g, String(id))
  return caller.send(call.method, target, bodyOf(call), headers)
}

const idFor = (call: Call): number => owned.get(collectionOf(call.path)) ?? ABSENT
const codeOf = ({ body }: Answer): unknown => (body as { code?: string } | null)?.code

/** Returns the response without what differs from request to request. */
const stripIds = ({ status, body }: Answer): unknown => ({ status, body })

test('the document names the calls and who may make them', () => {
  expect(ENDPOINTS.length).toBeGreaterThan(50)
  for (const { key, operation } of ENDPOINTS) {
    expect.soft(['public', 'session', 'verified', 'admin'], key).toContain(operation['x-access'])
  }
})

describe('no one who is not signed in', () => {
  test.each(requestsFor('session', 'verified', 'admin'))('$key is 401', async (call) => {
    const answer = await ask('anonymous', call, idFor(call))
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
  })
})

describe('without a verified ASN', () => {
  test.each(requestsFor('verified'))('$key is 403 asn_unverified', async (call) => {
    const answer = await ask('unverified', call, idFor(call))
    expect([answer.status, codeOf(answer)]).toEqual([403, 'asn_unverified'])
  })
})

describe('customers', () => {
  test.each(requestsFor('admin'))('$key is 403', async (call) => {
    for (const role of ['unverified', 'other', 'owner'] as const) {
      const answer = await ask(role, call, idFor(call))
      expect(answer.status, role).toBe(403)
    }
  })
})

describe("another customer's is as absent", () => {
  test.each(withId(requestsFor('session', 'verified')))('$key', async (call) => {
    if (!owned.has(collectionOf(call.path))) return expect(await absentIs404('other', call)).toBe(true)
    const [theirs, absent] = [await ask('other', call, idFor(call)), await ask('other', call, ABSENT)]
    expect(stripIds(theirs)).toEqual(stripIds(absent))
    expect(theirs.status).toBe(404)
  })
})

const absentIs404 = async (role: Role, call: Call): Promise<boolean> => (await ask(role, call, ABSENT)).status === 404

describe('an id that is none is 404', () => {
  test.each(withId(requestsFor('session', 'verified', 'admin')))('$key', async (call) => {
    const role = call.operation['x-access'] === 'admin' ? 'staff' : 'other'
    for (const id of ['abc', '0', '-1', '1.5', '2147483648', '%00', "1'"]) {
      expect((await ask(role, call, id)).status, id).toBe(404)
    }
  })
})

describe('on a session, without the CSRF token', () => {
  test.each(ENDPOINTS.filter(({ method }) => method !== 'GET'))('$key is 403, and nothing happened', async (call) => {
    const role = call.operation['x-access'] === 'admin' ? 'staff' : 'owner'
    for (const token of ['', 'wrong']) {
      const answer = await ask(role, call, idFor(call), { 'x-csrf-token': token })
      expect([answer.status, codeOf(answer)]).toEqual([403, 'csrf'])
    }
  })
})

describe('calls beside the document', () => {
  test.each([
    ['POST', '/api/graphql', { query: '{ hypervisors { id } }' }, [401, 403, 403, 403, 200]],
    ['GET', '/api/no/such/call', undefined, [404, 404, 404, 404, 404]],
    ['POST', '/internal/errors', '{}\n', [204, 204, 204, 204, 204], { 'content-type': 'text/plain' }],
    [
      'POST',
      '/mini-profiler-resources/results',
      `id=${crypto.randomUUID()}&popup=0`,
      [401, 403, 403, 403, 404],
      { 'content-type': 'application/x-www-form-urlencoded', 'x-requested-with': 'XMLHttpRequest' },
    ],
  ] as const)('%s %s', async (method, target, body, statuses, headers?: Record<string, string>) => {
    const got: number[] = []
    for (const role of ROLES) got.push((await (await callerFor(role)).send(method, target, body, headers)).status)
    expect(got).toEqual(statuses)
  })

  test('the event stream is for sessions alone', async () => {
    const answer = await createCaller(testServer.url).send('GET', '/api/events')
    expect(answer.status).toBe(401)
  })
})

// Last, because it is allowed: the owner's things may be gone afterwards.
describe('everybody, everything: no fault, nothing undocumented, and nothing of the owner to others', () => {
  test.each(ENDPOINTS.toSorted((a, b) => Number(a.key === CLOSING) - Number(b.key === CLOSING)))(
    '$key',
    async (call) => {
      for (const role of ROLES) {
        const answer = await ask(role, call, idFor(call))
        expect(answer.status, `${role}: ${answer.text}`).toBeLessThan(500)
        expect
          .soft(Object.keys(call.operation.responses), `${role} got ${answer.text}`)
          .toContain(String(answer.status))
        if (role === 'owner' || role === 'staff') continue
        for (const secret of secrets) expect(answer.text, role).not.toContain(secret)
      }
    },
  )
})
