import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../kernel/clock.ts'
import { forbidden } from '../kernel/problem.ts'
import { testDatabase } from '../platform/db/testing.ts'
import type { Principal } from '../platform/http/principal.ts'
import { createHttp } from '../platform/http/server.ts'
import { observabilityRoutes } from './index.ts'

const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
const { db } = await testDatabase()
const customer = { userId: 7, via: 'session', isAdmin: false, roles: [], scopes: null } as unknown as Principal
const { app } = await createHttp({
  config: { RELEASE: 'r1', TRUSTED_PROXIES: [] },
  log,
  secretKey: 'k'.repeat(32),
  secure: false,
  authenticate: () => Promise.resolve(customer),
})
observabilityRoutes(app, {
  config: { METRICS_TOKEN: undefined, SENTRY_DSN: undefined },
  log,
  db,
  clock: systemClock,
  reconcilerStats: () => [],
} as unknown as Parameters<typeof observabilityRoutes>[1])
app.get('/api/closed/:id', { config: { endpoint: 'GET /api/closed/{id}' } }, () => {
  throw forbidden('It is closed.')
})
afterAll(() => app.close())

test('each denial is one line with call, status, user and request, and nothing that the request brought', async () => {
  const answer = await app.inject({
    url: '/api/closed/5?token=hush\n{"level":"error"}',
    headers: { cookie: 'session=hush', 'user-agent': 'hush\u001b[2J' },
  })
  expect(answer.statusCode).toBe(403)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toMatchObject({
    endpoint: 'GET /api/closed/{id}',
    method: 'GET',
    status: 403,
    userId: 7,
    requestId: answer.headers['x-request-id'],
  })
  expect(lines[0]).not.toContain('hush')
})
