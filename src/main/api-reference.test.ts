import { expect, test } from 'vitest'
import { APIS } from './api-contracts.ts'
import { openApiDocument } from '../platform/http/openapi.ts'
import { curlExample } from '../ui/reference/curl-example.ts'
import { groupEndpoints, searchEndpoints, successOf, type OpenApi } from '../ui/reference/openapi-document.ts'
import { describeSchema } from '../ui/reference/schema-labels.ts'

const document = openApiDocument(APIS, { title: 'Longhaul', version: 'test' }) as unknown as OpenApi
const groups = groupEndpoints(document)
const endpoints = groups.flatMap((group) => group.endpoints)
const endpoint = (id: string) => endpoints.find(({ operationId }) => operationId === id)!

test('every call of the document has its place, customers before staff', () => {
  const count = Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length
  expect(endpoints).toHaveLength(count)
  expect(new Set(endpoints.map(({ operationId }) => operationId)).size).toBe(count)
  const titles = groups.map(({ title }) => title)
  expect(titles.slice(0, 4)).toEqual(['Routers', 'IP Transit', 'Billing', 'Webhooks'])
  expect(titles.at(-1)).toBe('Staff')
})

test('a search finds by path, by words and by scope', () => {
  const found = (typed: string) =>
    searchEndpoints(groups, typed).flatMap((group) => group.endpoints.map((one) => one.path))
  expect(found('post virtual_machines actions')).toEqual([
    '/api/virtual_machines/actions',
    '/api/virtual_machines/{id}/actions',
    '/api/admin/virtual_machines/actions',
    '/api/admin/virtual_machines/{id}/actions',
  ])
  expect(found('webhooks:write').every((path) => path.startsWith('/api/webhooks'))).toBe(true)
  expect(found('no such thing')).toEqual([])
})

test('every shape of the document has words, and none of them is "anything" by accident', () => {
  for (const one of endpoints) {
    const { schema } = successOf(one)
    if (schema) expect.soft(describeSchema(schema).label, one.path).toMatch(/object|list|file|one of/)
    for (const { name, schema: own } of one.parameters ?? [])
      expect.soft(describeSchema(own).label, `${one.path} ${name}`).not.toBe('')
  }
})

test.each([
  [{ type: 'string', maxLength: 5 }, 'text, at most 5 characters'],
  [{ type: ['string', 'null'] }, 'text or null'],
  [{ type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991 }, 'whole number, at least 1'],
  [{ type: 'array', items: { type: 'string', format: 'date-time' } }, 'list of time, ISO 8601'],
  [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'number or null'],
  [{ type: 'boolean', default: true }, 'true or false, true unless given'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'object of whole number by name'],
  [{}, 'anything'],
])('%j is %s', (schema, label) => {
  expect(describeSchema(schema).label).toBe(label)
})

test('an example carries the token, what is required, and a key where something is made', () => {
  expect(curlExample(endpoint('postVirtualMachines'), 'https://portal.example.net')).toBe(
    [
      "curl -X POST 'https://portal.example.net/api/virtual_machines'",
      '-H "Authorization: Bearer $LONGHAUL_TOKEN"',
      '-H "Idempotency-Key: $(uuidgen)"',
      "-H 'Content-Type: application/json'",
      `-d '{"name":"…","site":"…","plan":"…","image":"…"}'`,
    ].join(' \\\n  '),
  )
  expect(curlExample(endpoint('getVirtualMachinesById'), 'https://p')).toContain("'https://p/api/virtual_machines/1'")
})
