import { accountIdOf } from '../../platform/db/testing.ts'
import type { UserId } from '../../kernel/ids.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { audit, SYSTEM, type Actor } from '../../platform/audit.ts'
import { addSites, createStaffTestApp } from '../testing.ts'

const { app, db, addCustomers } = await createStaffTestApp()
const PATH = '/api/admin/audit_events'
let customers: number[]
let actions: string[]

beforeAll(async () => {
  await addSites(db)
  customers = await addCustomers(2)
  const [ann, ben] = customers as [UserId, UserId]
  const as = (userId: UserId): Actor => ({ kind: 'user', userId, ip: '192.0.2.1', requestId: 'r-1' })
  await audit(db, as(ann), {
    action: 'router.created',
    subject: { type: 'router', id: 1 },
    accountId: accountIdOf(ann),
    data: { name: '=1+1, "x"' },
  })
  await audit(db, as(ben), {
    action: 'router.created',
    subject: { type: 'router', id: 2 },
    accountId: accountIdOf(ben),
  })
  await audit(
    db,
    { ...as(ben), kind: 'staff' },
    { action: 'prefix.approved', subject: { type: 'prefix', id: 1 }, accountId: accountIdOf(ann) },
  )
  await audit(db, SYSTEM, { action: 'router.deleted', subject: { type: 'router', id: 1 }, accountId: accountIdOf(ann) })
  actions = ['router.deleted', 'prefix.approved', 'router.created', 'router.created']
})

const get = (url: string, who: string | null = 'staff') =>
  app.inject({ url, headers: who === null ? {} : { authorization: `Bearer ${who}` } })
// eslint-disable-next-line typescript/no-explicit-any -- tests assert on what came over the wire
const find = async (query: string): Promise<any> => (await get(`${PATH}?${query}`)).json()

describe('staff find what happened', () => {
  test('the newest first, with who did it', async () => {
    const { events, next } = await find('')
    expect(events.map((event: { action: string }) => event.action)).toEqual(actions)
    expect(events[3]).toMatchObject({
      actor: { kind: 'user', id: customers[0], email: 'person-1@example.net', name: expect.any(String) },
      subject: { type: 'router', id: 1 },
      ip: '192.0.2.1',
      data: { name: '=1+1, "x"' },
    })
    expect(next).toBeNull()
  })

  test('staff find events by actor, owner, action, subject and time, and by several at once', async () => {
    const [ann, ben] = customers
    const count = async (query: string): Promise<number> => (await find(query)).events.length
    expect(await count(`actor=${ben}`)).toBe(2)
    expect(await count(`user=${ann}`)).toBe(3)
    expect(await count('action=router.created')).toBe(2)
    expect(await count('subjectType=router')).toBe(3)
    expect(await count('subjectType=router&subjectId=1')).toBe(2)
    expect(await count(`actor=${ben}&subjectType=prefix`)).toBe(1)
    expect(await count('from=2100-01-01T00:00:00Z')).toBe(0)
    expect(await count('to=2100-01-01T00:00:00Z&from=2020-01-01T00:00:00Z')).toBe(4)
  })

  test('page by page, each line once', async () => {
    const seen: number[] = []
    for (let before = ''; ;) {
      const { events, next } = await find(`limit=1${before}`)
      seen.push(...events.map((event: { id: number }) => event.id))
      if (next === null) break
      before = `&before=${next}`
    }
    expect(seen).toHaveLength(4)
    expect(seen).toEqual(seen.toSorted((a, b) => b - a))
  })

  test.for(['limit=0', 'limit=201', 'actor=x', 'user=2147483648', 'actor=2147483648', 'from=yesterday', 'colour=red'])(
    'refuses ?%s',
    async (query) => {
      expect((await get(`${PATH}?${query}`)).statusCode).toBe(422)
    },
  )
})

describe('as a file', () => {
  test('a CSV file has no formula that a spreadsheet would run', async () => {
    const response = await get(`${PATH}.csv?subjectId=1&subjectType=router`)
    expect(response.headers['content-disposition']).toBe('attachment; filename="audit.csv"')
    const lines = response.body.trimEnd().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[2]).toContain('"{""name"":""=1+1, \\""x\\""""}"')
  })

  test('a JSON file is complete, also when it is empty and when it is longer than a batch', async () => {
    expect((await get(`${PATH}.json?action=nothing`)).json()).toEqual([])
    await db.transaction().execute(async (on) => {
      for (let i = 0; i < 1_001; i++)
        await audit(on, SYSTEM, { action: 'account.changed', subject: { type: 'thing', id: i + 1 }, accountId: null })
    })
    const events: { id: number }[] = (await get(`${PATH}.json?action=account.changed`)).json()
    expect(new Set(events.map(({ id }) => id)).size).toBe(1_001)
  })
})

test.for(
  ['', '.csv', '.json'].flatMap((format) =>
    (
      [
        [null, 401],
        ['stranger', 401],
        ['customer', 403],
        ['narrow', 403],
        ['staff', 200],
      ] as const
    ).map(([who, status]) => [format, who, status] as const),
  ),
)('audit_events%s for %s is %i', async ([format, who, status]) => {
  expect((await get(`${PATH}${format}`, who)).statusCode).toBe(status)
})
