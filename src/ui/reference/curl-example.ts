/** Builds a request as one would type it, with sample values from its schema. */
import type { ApiEndpoint, Schema } from './openapi-document.ts'

export function curlExample(endpoint: ApiEndpoint, origin: string): string {
  const body = endpoint.requestBody?.content['application/json']?.schema
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name.toLowerCase().endsWith('id') ? '1' : name,
  )
  const query = (endpoint.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(sample(schema)))}`)
  const address = `${origin}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const creates = endpoint.method === 'POST' && endpoint['x-access'] !== 'public'
  const file = Object.values(endpoint.responses).some(
    ({ content }) => content && !JSON_LIKE.test(Object.keys(content)[0] ?? ''),
  )
  const label = [
    `curl${endpoint.method === 'GET' ? '' : ` -X ${endpoint.method}`} ${quote(address)}`,
    ...(endpoint['x-access'] === 'public' ? [] : [`-H "Authorization: Bearer $LONGHAUL_TOKEN"`]),
    ...(creates ? [`-H "Idempotency-Key: $(uuidgen)"`] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(sample(body)))}`] : []),
    ...(file ? ['-OJ'] : []),
  ]
  return label.join(' \\\n  ')
}

const JSON_LIKE = /json/
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Leaves out optional fields: the shortest valid request. */
export function sample(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const first = (schema.anyOf ?? schema.oneOf)?.[0]
  if (first) return sample(first)
  const type: string = [schema.type].flat()[0] ?? ''
  switch (type) {
    case 'object': {
      const { properties = {}, required = [] } = schema
      return Object.fromEntries(
        Object.entries(properties)
          .filter(([name, property]) => required.includes(name) && property.default === undefined)
          .map(([name, property]) => [name, sample(property)]),
      )
    }
    case 'array':
      return schema.items ? [sample(schema.items)] : []
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return true
    default:
      return schema.format === 'email'
        ? 'kes@example.net'
        : schema.format === 'date-time'
          ? '2026-11-21T00:00:00Z'
          : '…'
  }
}
