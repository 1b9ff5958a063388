import { afterAll, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../drivers/edge/simulated/index.ts'
import { createTransitTestApp } from './testing.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { call } = testApp
const staff = await testApp.addUser({ isAdmin: true })
afterAll(() => testApp.close())

describe('who may call', () => {
  const OWN: readonly (readonly [method: string, url: string, body: object | undefined])[] = [
    ['GET', '/api/transit_prefixes', undefined],
    ['GET', '/api/transit_connection/events', undefined],
    ['POST', '/api/transit_prefixes', { value: '45.70.0.0/24', announcementType: 'ORIGIN' }],
    ['POST', '/api/transit_prefixes/check', { values: ['45.70.0.0/24'] }],
  ]
  const ONE: readonly (readonly [method: string, path: string])[] = [
    ['GET', ''],
    ['POST', '/check'],
    ['DELETE', ''],
  ]
  const STAFF: readonly (readonly [method: string, path: string, body: object | undefined])[] = [
    ['GET', '', undefined],
    ['POST', '/approve', {}],
    ['POST', '/reject', {}],
    ['POST', '/suspend', {}],
  ]

  test.each(OWN)('%s %s: no one anonymous, no one without a verified ASN', async (method, url, body) => {
    const unverified = await testApp.addUser({ asn: 620_000, verified: false })
    expect((await call(null, method, url, body)).status).toBe(401)
    const refused = await call(unverified, method, url, body)
    expect(refused).toMatchObject({ status: 403, body: { code: 'asn_unverified' } })
  })

  test.each(ONE)(
    '%s /api/transit_prefixes/{id}%s: the owner, and to anyone else it does not exist',
    async (method, path) => {
      const owner = await testApp.addCustomer()
      const other = await testApp.addCustomer()
      const id = await testApp.request(owner, `45.71.${(owner % 250) + 1}.0/24`)
      const url = `/api/transit_prefixes/${id}${path}`
      expect((await call(null, method, url)).status).toBe(401)
      expect((await call(other, method, url)).status).toBe(404)
      expect((await call(other, method, `/api/transit_prefixes/999999${path}`)).status).toBe(404)
      expect((await call(owner, method, url)).status).toBeLessThan(300)
    },
  )

  test.each(STAFF)('%s /api/admin/transit_prefixes/{id}%s: staff alone', async (method, path, body) => {
    const owner = await testApp.addCustomer()
    const id = await testApp.request(owner, `45.72.${(owner % 250) + 1}.0/24`)
    const url = `/api/admin/transit_prefixes/${id}${path}`
    expect((await call(null, method, url, body)).status).toBe(401)
    expect((await call(owner, method, url, body)).status).toBe(403)
    expect((await testApp.prefix(id)).status).toBe('PENDING')
    expect((await call(staff, method, `/api/admin/transit_prefixes/999999${path}`, body)).status).toBe(404)
  })

  test('a decision that the state does not allow is a 409 that names the state', async () => {
    const owner = await testApp.addCustomer()
    const id = await testApp.request(owner, '45.73.0.0/24')
    const suspended = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/suspend`, {})
    expect(suspended.status).toBe(409)
    expect(suspended.body.detail).toContain('PENDING')
  })
})
