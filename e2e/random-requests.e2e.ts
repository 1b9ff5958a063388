/**
 * Random requests to every published endpoint: none ends in an internal error, and each response is as the OpenAPI
 * document says, which the caller checks. Most values fit their schemas, so that the handlers run; a few do not.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProduct, type Product } from './product.ts'
import { signIn, type Caller } from './spec/api-client.ts'
import { documentOf, type Documented } from './spec/document.ts'
import type { JsonSchema } from './spec/json-schema.ts'

const ROUNDS = process.env['PROVE'] === undefined ? 4 : 100

/** These end sessions, close accounts or take roles away: all later requests would be refused. */
const ENDS_ACCESS =
  /^(?!GET ).*\/(session|sessions|sessions\/\{id\}|close|impersonation|password|suspensions|totp|end|email|staff\/\{id\}|second_factor_resets)$/

/** Values that handlers know from the demonstration, by the name of their field. */
const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  site: ['ams1', 'fra1'],
  plan: ['lark'],
  image: ['longhaul-appliance'],
  value: ['45.30.30.0/24', '2d10:10::/32'],
  prefix: ['45.30.30.0/24', '2d10:10::/32'],
  destination: ['45.30.30.1', '2d10:10::1'],
  email: ['customer@example.net', 'nobody@example.org'],
  currency: ['EUR'],
  country: ['DE', 'NL'],
  month: ['2026-10'],
}
const TEXTS = ['', 'a', '0', '-1', '1e3', '\0', '\u{1F600}', '٣', '%_\\', '../..', 'x'.repeat(3_000)]
const TIMES = ['2026-11-26T10:00:00Z', '2020-02-30T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59+14:00']
/** Existing rows, none, and beyond `integer` and `bigint`. */
const IDS = ['1', '2', '3', '4', '5', '0', '-1', '01', 'x', '2147483647', '2147483648', '9007199254740993']

const misfit = fc.constantFrom<unknown>(null, '', 0, -1, 2 ** 53, 1e308, true, [], {}, 'x')

function valueOf(schema: JsonSchema, name: string, depth = 0): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 24, arbitrary: fitting(schema, name, depth) }, { weight: 1, arbitrary: misfit })
}

function fitting(schema: JsonSchema, name: string, depth: number): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return fc.oneof(...variants.map((variant) => valueOf(variant, name, depth)))
  switch ([schema.type ?? 'null'].flat()[0]!) {
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
      return fc.constantFrom(...[minimum, minimum + 1, minimum + 9, maximum].filter((value) => value <= maximum))
    }
    case 'array':
      return fc.array(depth > 5 ? misfit : valueOf(schema.items ?? {}, name, depth + 1), { maxLength: 3 })
    case 'object': {
      const fields = Object.entries(schema.properties ?? {})
      const required = schema.required ?? []
      const parts = Object.fromEntries(fields.map(([field, part]) => [field, valueOf(part, field, depth + 1)]))
      return fc.oneof(fc.record(parts), fc.record(parts, { requiredKeys: [...required] }))
    }
    case 'string': {
      const known = KNOWN[name]
      const text = fc.constantFrom(...(schema.format === 'date-time' ? TIMES : TEXTS))
      return known ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, text) : text
    }
    default:
      return misfit
  }
}

interface RandomRequest {
  readonly method: string
  readonly target: string
  readonly body: unknown
}

function requestsTo(method: string, path: string, { parameters = [], requestBody }: Documented) {
  const schema = requestBody?.content['application/json']?.schema
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const named = query.map(({ name, schema: shape }) => [name, valueOf(shape, name)] as const)
  return fc
    .record({
      ids: fc.tuple(...inPath.map(() => fc.constantFrom(...IDS))),
      query: fc.record(Object.fromEntries(named), { requiredKeys: [] }),
      body: schema ? valueOf(schema, '') : fc.constant(undefined),
    })
    .map(({ ids, query: values, body }): RandomRequest => {
      const rest = [...ids]
      const pathname = path.replaceAll(/\{\w+\}/g, () => rest.shift()!)
      const search = new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]))
      return { method, target: search.size > 0 ? `${pathname}?${search}` : pathname, body }
    })
}

let product: Product
const callers: Record<string, Caller> = {}
beforeAll(async () => {
  product = await startProduct({ COMPUTE: 'simulated', EDGE: 'simulated' })
  for (const role of ['staff', 'customer', 'newcomer'] as const) callers[role] = await signIn(product.url, role)
})
afterAll(() => product?.stop())

test('no request ends in an internal error or in a response that the document does not name', async () => {
  const { paths } = await documentOf(product.url)
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const asked = endpoints.filter(
    // The stream of events does not end.
    ({ method, path }) => !ENDS_ACCESS.test(`${method} ${path}`) && path !== '/api/events',
  )
  expect(asked.length).toBeGreaterThan(200)
  for (const { method, path, operation } of asked) {
    const role = operation['x-access'] === 'admin' ? fc.constant('staff') : fc.constantFrom('customer', 'newcomer')
    await fc.assert(
      fc.asyncProperty(requestsTo(method, path, operation), role, async (request, caller) => {
        const { status, text } = await callers[caller]!.send(request.method, request.target, request.body)
        expect(status < 500 || status === 503, text).toBe(true)
      }),
      { numRuns: ROUNDS },
    )
  }
}, 3_600_000)
