import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createPeeringDb } from './peeringdb.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const CLIENT = { clientId: 'longhaul', clientSecret: 'a secret: with signs' }
const REDIRECT = 'https://portal.example.net/awaiting-verification'
const VERIFIER = 'v'.repeat(43)
const PROFILE = {
  id: 17,
  name: 'Ann',
  verified_user: true,
  verified_email: true,
  networks: [{ id: 1, name: 'Plover', asn: 500_020, perms: 15, manage_peering_sessions: true }],
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const json =
  (body: unknown, status = 200): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** PeeringDB as documented: a code is exchanged once, with the secret and the verifier of its challenge. */
async function fake(profile: Answer = json(PROFILE), token?: Answer) {
  let spent = false
  const server = createServer((request, response) => {
    void (async () => {
      if (request.url === '/profile/v1') {
        if (request.headers.authorization !== 'Bearer granted') return response.writeHead(401).end()
        return profile(request, response)
      }
      if (token) return token(request, response)
      const chunks: Buffer[] = []
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      const basic = Buffer.from(request.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString()
      const right =
        request.method === 'POST' &&
        request.url === '/oauth2/token/' &&
        basic === 'longhaul:a%20secret%3A%20with%20signs' &&
        form.get('grant_type') === 'authorization_code' &&
        form.get('code') === 'right' &&
        form.get('redirect_uri') === REDIRECT &&
        form.get('code_verifier') === VERIFIER &&
        !spent
      spent ||= right
      return json(right ? { access_token: 'granted' } : { error: 'invalid_grant' }, right ? 200 : 400)(
        request,
        response,
      )
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createPeeringDb({ ...CLIENT, base, deadlineMs: 1_000 })
}

const answer = { code: 'right', verifier: VERIFIER, redirectUri: REDIRECT }

describe('signing in with PeeringDB', () => {
  it('sends the browser there with a challenge, and keeps the secret at home', () => {
    const url = new URL(
      createPeeringDb(CLIENT).authorizeUrl({ state: 's&s', verifier: VERIFIER, redirectUri: REDIRECT }),
    )
    expect(url.origin + url.pathname).toBe('https://auth.peeringdb.com/oauth2/authorize/')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'longhaul',
      redirect_uri: REDIRECT,
      scope: 'profile email networks',
      state: 's&s',
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
    })
    expect(url.href).not.toContain('secret')
  })

  it('learns who came back, once for each code', async () => {
    const peeringDb = await fake()
    expect(await peeringDb.identify(answer)).toEqual({
      id: 17,
      verifiedUser: true,
      verifiedEmail: true,
      networks: [{ name: 'Plover', asn: 500_020, perms: 15 }],
    })
    expect(await peeringDb.identify(answer)).toBeNull()
  })

  it.each([
    ['code', { ...answer, code: 'wrong' }],
    ['verifier', { ...answer, verifier: 'w'.repeat(43) }],
    ['redirect', { ...answer, redirectUri: 'https://portal.example.org/' }],
  ])('takes no wrong %s', async (_, wrong) => {
    expect(await (await fake()).identify(wrong)).toBeNull()
  })

  it('takes what is missing from a profile for a no', async () => {
    const peeringDb = await fake(json({ id: 3, verified_user: 'yes', networks: [{ asn: 500_020 }] }))
    expect(await peeringDb.identify(answer)).toEqual({
      id: 3,
      verifiedUser: false,
      verifiedEmail: false,
      networks: [{ name: '', asn: 500_020, perms: 0 }],
    })
  })

  it.each<[string, Answer, string]>([
    ['an error of its own', json({}, 502), 'unreachable'],
    ['a request to slow down', json({}, 429), 'unreachable'],
    ['no JSON', (_, response) => response.end('<html>'), 'protocol'],
    ['another document', json([1]), 'protocol'],
    ['a redirect', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'unreachable'],
    ['more than a megabyte', (_, response) => response.end(Buffer.alloc(1024 * 1024 + 1, 32)), 'protocol'],
    ['nothing for too long', () => undefined, 'timeout'],
  ])('is told apart when it answers %s', async (_, profile, kind) => {
    await expect((await fake(profile)).identify(answer)).rejects.toMatchObject({ name: 'RegistryError', kind })
  })
})
