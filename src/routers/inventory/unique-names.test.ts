import { describe, expect, test } from 'vitest'
import { createRoutersTestApp } from '../testing.ts'

const testApp = await createRoutersTestApp()
const staff = await testApp.addUser({ isAdmin: true })
const ask = (method: string, path: string, body?: unknown) => staff.call(method, `/api/admin/${path}`, body)
const refused = (...errors: { field: string; message: string }[]) => ({ status: 409, body: { errors } })
const called = (what: string, name: string) => ({
  field: 'name',
  message: `There is already ${what} called "${name}".`,
})

describe('the names of the stock', () => {
  test('the name of a site is unique, whatever its case and the blanks around it', async () => {
    expect(await ask('POST', 'sites', { slug: 'fra1', name: ' AMSTERDAM 1 ' })).toMatchObject(
      refused(called('a site', 'AMSTERDAM 1')),
    )
    expect(await ask('POST', 'sites', { slug: 'ams1', name: 'amsterdam 1' })).toMatchObject(
      refused({ field: 'slug', message: 'There is already a site "ams1".' }, called('a site', 'amsterdam 1')),
    )
    const { body } = await ask('POST', 'sites', { slug: 'fra1', name: 'Frankfurt' })
    const url = `sites/${body.id}`
    expect(await ask('PATCH', url, { name: 'Amsterdam 1' })).toMatchObject(refused(called('a site', 'Amsterdam 1')))
    expect((await ask('PATCH', url, { name: 'FRANKFURT' })).body).toMatchObject({ name: 'FRANKFURT' })
    expect((await ask('PATCH', url, { closed: true })).status).toBe(200)
  })

  test('the name of a hypervisor is unique, also against short names', async () => {
    const url = `hypervisors/${testApp.hypervisorId}`
    await ask('PATCH', url, { name: 'ams1-hv9' })
    const fresh = { slug: 'ams1-hv9', site: 'ams1', cpus: 8, memory: 16_384, disk: 200 }
    expect(await ask('POST', 'hypervisors', fresh)).toMatchObject(refused(called('a hypervisor', 'ams1-hv9')))
    const { body } = await ask('POST', 'hypervisors', { ...fresh, name: 'Nine' })
    const renamed = await ask('PATCH', `hypervisors/${body.id}`, { name: 'AMS1-HV9', cpus: 4 })
    expect(renamed).toMatchObject(refused(called('a hypervisor', 'AMS1-HV9')))
    expect((await ask('PATCH', `hypervisors/${body.id}`, { name: 'Nine', cpus: 4 })).body).toMatchObject({
      name: 'Nine',
    })
  })

  test('the name of an image is unique', async () => {
    const image = { slug: 'vyos', name: 'VyOS', description: 'Another' }
    expect((await ask('POST', 'images', image)).status).toBe(201)
    const again = await ask('POST', 'images', { ...image, slug: 'vyos-2', name: 'vyos' })
    const message = 'There is already an image called "vyos". Retired ones keep their names.'
    expect(again).toMatchObject(refused({ field: 'name', message }))
  })

  test('of two equal names that are added at once, one is refused', async () => {
    const outcomes = await Promise.all(
      ['lon1', 'lon2', 'lon3'].map((slug) => ask('POST', 'sites', { slug, name: 'London' })),
    )
    expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    const lost = outcomes.find(({ status }) => status === 409)
    expect(lost).toMatchObject(refused(called('a site', 'London')))
  })
})
