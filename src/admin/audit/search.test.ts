import type { UserId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { audit, SYSTEM } from '../../platform/audit.ts'
import { createStaffTestApp } from '../testing.ts'

const { app, db } = await createStaffTestApp()
const REQUEST = '0b2f7a1e-3c1d-4a57-9a44-6f1d0c5b9e21'
let ann: UserId

beforeAll(async () => {
  const rows = await db
    .insertInto('users')
    .values(
      ['Ann', 'Ben'].map((name) => ({
        email: `${name.toLowerCase()}@reed.example`,
        first_name: name,
        last_name: 'Example',
        password_hash: '-',
        email_verified_at: null,
        last_sign_in_at: null,
        last_sign_in_ip: null,
        closed_at: null,
      })),
    )
    .returning('id')
    .execute()
  ann = rows[0]!.id
  const ben = rows[1]!.id
  const by = (userId: UserId, ip: string) => ({ kind: 'user', userId, ip, requestId: REQUEST }) as const
  await audit(db, by(ann, '192.0.2.1'), {
    action: 'router.created',
    subject: { type: 'router', id: 4_711 },
    accountId: accountIdOf(ann),
  })
  await audit(db, by(ben, '2001:db8::7'), {
    action: 'prefix.requested',
    subject: { type: 'prefix', id: 12 },
    accountId: accountIdOf(ben),
  })
  await audit(db, SYSTEM, {
    action: 'prefix.needs_action',
    subject: { type: 'prefix', id: 12 },
    accountId: accountIdOf(ben),
  })
  await audit(
    db,
    { ...SYSTEM, kind: 'staff', userId: ann },
    { action: 'prefix.approved', subject: { type: 'prefix', id: 12 }, accountId: accountIdOf(ben) },
  )
})

const get = async (url: string) => (await app.inject({ url, headers: { authorization: 'Bearer staff' } })).json()
const actionsFor = async (search: string): Promise<string[]> =>
  (await get(`/api/admin/audit_events?search=${encodeURIComponent(search)}`)).events.map(
    ({ action }: { action: string }) => action,
  )

describe('what staff type finds events', () => {
  test.each([
    ['192.0.2.1', ['router.created']],
    ['2001:0db8::0007', ['prefix.requested']],
    [REQUEST.toUpperCase(), ['prefix.requested', 'router.created']],
    ['4711', ['router.created']],
    ['#12', ['prefix.approved', 'prefix.needs_action', 'prefix.requested']],
    ['ann@reed.example', ['prefix.approved', 'router.created']],
    ['Ben', ['prefix.approved', 'prefix.needs_action', 'prefix.requested']],
    ['prefix', ['prefix.approved', 'prefix.needs_action', 'prefix.requested']],
    ['needs action', ['prefix.needs_action']],
    ['198.51.100.9', []],
    ['nothing of the sort', []],
    ["' or true --", []],
    ['%', []],
    ['\\', []],
  ])('%s', async (typed, actions) => {
    expect(await actionsFor(typed)).toEqual(actions)
  })

  test('together with the other filters, and in the files', async () => {
    const url = `/api/admin/audit_events.csv?search=prefix&actor=${ann}`
    const { body } = await app.inject({ url, headers: { authorization: 'Bearer staff' } })
    expect(body.trimEnd().split('\r\n')).toHaveLength(2)
  })

  test('each of them by an index', async () => {
    expect(await get('/api/admin/audit_actions')).toEqual([
      'prefix.approved',
      'prefix.needs_action',
      'prefix.requested',
      'router.created',
    ])
  })
})
