import fastify from 'fastify'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { mountAssets } from './assets.ts'
import { sendProblem } from './problem-details.ts'

const root = await mkdtemp(path.join(tmpdir(), 'longhaul-assets-'))
const assets = path.join(root, 'assets')
await mkdir(path.join(assets, 'staff'), { recursive: true })
const write = (name: string, content: string) => writeFile(path.join(root, name), content)
await write('secret.js', 'outside')
await write('assets/app-A1.js', 'plain')
await write('assets/app-A1.js.br', 'as brotli')
await write('assets/app-A1.js.gz', 'as gzip')
await write('assets/staff/all-B2.css', 'styles')

const app = fastify()
app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error as Error))
mountAssets(app, assets)
afterAll(async () => {
  await app.close()
  await rm(root, { recursive: true })
})
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

test.each([
  ['gzip, deflate, br', 'br', 'as brotli'],
  ['gzip', 'gzip', 'as gzip'],
  ['gzip, br;q=0', 'gzip', 'as gzip'],
  ['gzip;q=0.5, br;q=0.8', 'br', 'as brotli'],
  ['identity', undefined, 'plain'],
])('a client that accepts %s gets the smallest file that they can read', async (accepted, coding, content) => {
  const answer = await get('/assets/app-A1.js', { 'accept-encoding': accepted })
  expect(answer.body).toBe(content)
  expect(answer.headers['content-encoding']).toBe(coding)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
})

test('a file in a folder, and one that was never compressed, are there as well', async () => {
  const answer = await get('/assets/staff/all-B2.css', { 'accept-encoding': 'br' })
  expect(answer.body).toBe('styles')
  expect(answer.headers['content-encoding']).toBeUndefined()
})

test('a browser that has it already is told so', async () => {
  const { headers } = await get('/assets/app-A1.js')
  const again = await get('/assets/app-A1.js', { 'if-none-match': String(headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('a file that a new build brings is found without a restart', async () => {
  expect((await get('/assets/new-C3.js')).statusCode).toBe(404)
  await write('assets/new-C3.js', 'new')
  expect((await get('/assets/new-C3.js')).body).toBe('new')
})

test.each(['/assets/..%2fsecret.js', '/assets/%2e%2e/secret.js', '/assets/staff', '/assets/app-A1.js.br', '/assets/'])(
  '%s is nothing',
  async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  },
)
