import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { compressAnswers } from './compression.ts'

const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `router-${id}` }))
const app = fastify()
compressAnswers(app)
app.get('/many', () => rows)
app.get('/one', () => rows[0])
app.get('/text', (_, reply) => reply.type('text/plain').send('x'.repeat(5_000)))

const ask = (url: string, accepted?: string, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })

test.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['gzip, br;q=0', 'gzip', gunzipSync],
] as const)('an answer to who accepts %s is sent as %s', async (accepted, coding, decompress) => {
  const answer = await ask('/many', accepted)
  expect(answer.headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' })
  expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length)
  expect(answer.rawPayload.length).toBeLessThan(JSON.stringify(rows).length / 3)
  expect(JSON.parse(decompress(answer.rawPayload).toString())).toEqual(rows)
})

test.each([
  ['is small', '/one', 'gzip', 'GET'],
  ['is no text of the API', '/text', 'gzip', 'GET'],
  ['goes to who asks for none', '/many', undefined, 'GET'],
  ['refuses all', '/many', 'gzip;q=0, br;q=0.0', 'GET'],
  ['has no body', '/many', 'gzip', 'HEAD'],
] as const)('an answer that %s is sent as it is', async (_, url, accepted, method) => {
  const answer = await ask(url, accepted, method)
  expect(answer.headers['content-encoding']).toBeUndefined()
  if (method === 'GET' && url === '/many') expect(answer.json()).toEqual(rows)
})
