import { expect, test } from 'vitest'
import { concernsServer } from './concerns-server.ts'

test.for([
  'main/server.ts',
  'transit/states.ts',
  'platform/http/portal.ts',
  'platform/db/migrations/0001-baseline.sql',
  'drivers/edge/bird/policy.bird',
])('the server starts again for %s', (file) => expect(concernsServer(file)).toBe(true))

test.for([
  'ui/runtime/client.ts',
  'routes/login.tsx',
  'routers/portal/order.ts',
  'routers/create.test.ts',
  'routers/testing.ts',
  'drivers/edge/bird/golden/c000010.conf',
  'routers/.create.ts.swp',
])('the server runs on for %s', (file) => expect(concernsServer(file)).toBe(false))
