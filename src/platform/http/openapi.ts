/** The OpenAPI 3.1 document, generated from the same contracts that parse the requests. */
import { z } from 'zod'
import type { Api, Endpoint, EndpointKey } from '../../kernel/endpoint.ts'
import { scopeOf, type Area } from '../../kernel/scope.ts'
import { PROBLEM_CODES, type ProblemCode } from '../../kernel/problem-codes.ts'

type Json = Record<string, unknown>

export interface ApiOfArea {
  readonly area: Area
  readonly api: Api
}

export function openApiDocument(
  apis: readonly ApiOfArea[],
  info: { title: string; version: string },
  extraPaths: Record<string, Record<string, Json>> = {},
): Json {
  const paths: Record<string, Record<string, Json>> = { ...extraPaths }
  for (const { area, api } of apis) {
    for (const [key, endpoint] of Object.entries(api) as [EndpointKey, Endpoint][]) {
      const [method, path] = key.split(' ') as [string, string]
      ;(paths[path] ??= {})[method.toLowerCase()] = operation(key, endpoint, area)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: info.title, version: info.version },
    paths: Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        token: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Problem: jsonSchema(problemShape, 'output') },
    },
  }
}

const codeList = Object.entries(PROBLEM_CODES)
  .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
  .join('\n')

const problemShape = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  requestId: z.string().optional(),
  code: z.enum(Object.keys(PROBLEM_CODES) as ProblemCode[]).describe(codeList),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})

function operation(key: EndpointKey, endpoint: Endpoint, area: Area): Json {
  const [status] = endpoint.ok
  const [method] = key.split(' ') as [string]
  const unsafe = method !== 'GET'
  const errors = new Set<number>([...(endpoint.errors ?? []), 429, 500, 503])
  if (endpoint.access !== 'public') errors.add(401)
  if (endpoint.access !== 'public' || unsafe) errors.add(403)
  if (endpoint.params) errors.add(404)
  // While the first request with the same Idempotency-Key is still running.
  if (endpoint.transaction === 'own') errors.add(409)
  if (endpoint.body) for (const code of [400, 413, 415, 422]) errors.add(code)
  // Of an Idempotency-Key too: one that another request has used.
  if (endpoint.query || takesKey(method, endpoint)) errors.add(422)
  return {
    operationId: operationId(key),
    summary: endpoint.summary,
    tags: [endpoint.access === 'admin' ? 'staff' : area],
    'x-access': endpoint.access,
    ...(endpoint.requiredRole ? { 'x-required-role': endpoint.requiredRole } : {}),
    ...(endpoint.access === 'public' ? {} : { 'x-scope': scopeOf(area, { method, access: endpoint.access }) }),
    security: endpoint.access === 'public' ? [] : [{ session: [] }, { token: [] }],
    ...parameters(endpoint, takesKey(method, endpoint)),
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(endpoint.body, 'input') } },
          },
        }
      : {}),
    responses: {
      [status]: {
        description: 'Done',
        ...contentOf(endpoint),
      },
      ...Object.fromEntries(
        [...errors]
          .toSorted((a, b) => a - b)
          .map((code) => [
            code,
            {
              description: 'Refused',
              content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
            },
          ]),
      ),
    },
  }
}

const takesKey = (method: string, { keyless }: Endpoint): boolean => method !== 'GET' && !keyless

function contentOf({ ok: [, answer], file }: Endpoint): Json {
  if (file !== undefined) return { content: { [file]: { schema: { type: 'string', format: 'binary' } } } }
  return answer ? { content: { 'application/json': { schema: jsonSchema(answer, 'output') } } } : {}
}

function parameters(endpoint: Endpoint, keyed: boolean): Json {
  const list = [
    ...fields(endpoint.params).map((field) => ({ ...field, in: 'path', required: true })),
    ...fields(endpoint.query).map((field) => ({ ...field, in: 'query' })),
    ...(keyed
      ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } }]
      : []),
  ]
  return list.length > 0 ? { parameters: list } : {}
}

function fields(schema: z.ZodType | undefined): { name: string; required: boolean; schema: unknown }[] {
  if (!schema) return []
  const { properties, required } = jsonSchema(schema, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    required: required?.includes(name) ?? false,
    schema: property,
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}

/** Turns `GET /api/transit_prefixes/{id}` into `getTransitPrefixesById`. */
function operationId(key: EndpointKey): string {
  const [method, path] = key.split(' ') as [string, string]
  const words = path
    .split(/[/_.]/)
    .filter((word) => word !== '' && word !== 'api')
    .map((word) => (word.startsWith('{') ? `By${capital(word.slice(1, -1))}` : capital(word)))
  return method.toLowerCase() + words.join('')
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
