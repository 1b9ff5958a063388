/** The accessible names by which people, screen readers and programs find the same things. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testServer } from './own-test-server.ts'
import { callerOf, as, asNew, heading, openBrowser } from './portal.ts'
import type { Role } from './api-client.ts'

openBrowser()

type Kind = 'field' | 'button' | 'link'
const find = (page: Page, kind: Kind, name: string) =>
  kind === 'field' ? page.getByLabel(name, { exact: true }) : page.getByRole(kind, { name, exact: true })

const FRAME = [
  ['link', 'Routers'],
  ['link', 'IP Transit'],
  ['link', 'Billing'],
  ['link', 'Settings'],
  ['button', 'Sign out'],
  ['button', 'Support'],
] as const

const SCREENS: readonly (readonly [Role, string, readonly (readonly [Kind, string])[]])[] = [
  [
    'anonymous',
    '/login',
    [
      ['field', 'Email'],
      ['field', 'Password'],
      ['button', 'Sign in'],
      ['button', 'Support'],
    ],
  ],
  [
    'anonymous',
    '/signup',
    [
      ['field', 'First name'],
      ['field', 'Last name'],
      ['field', 'Email'],
      ['field', 'Password'],
      ['button', 'Create account'],
      ['button', 'Support'],
    ],
  ],
  [
    'anonymous',
    '/password/reset',
    [
      ['field', 'Email'],
      ['button', 'Support'],
    ],
  ],
  [
    'anonymous',
    '/password/new?token=x',
    [
      ['field', 'Password'],
      ['button', 'Support'],
    ],
  ],
  ['newcomer', '/awaiting-verification', [['field', 'ASN'], ...FRAME]],
  ['customer', '/', FRAME],
  ['customer', '/billing', FRAME],
  ['customer', '/settings', FRAME],
  ['customer', '/transit', [['field', 'Prefix'], ['button', 'Request prefix'], ...FRAME]],
  [
    'customer',
    '/routers/new',
    [
      ['field', 'Router name'],
      ['button', 'Create router'],
    ],
  ],
  ['customer', `/routers/${testServer.router.id}/edit`, [['field', 'Router name']]],
  // Staff without an ASN have no IP transit of their own.
  ['staff', '/admin', [...FRAME.filter(([, name]) => name !== 'IP Transit'), ['link', 'Admin']]],
]

describe('each name is on its screen, once', () => {
  test.each(SCREENS)('%s at %s', (role, address, names) =>
    as(role, async ({ page }) => {
      await page.goto(address)
      await heading(page).waitFor()
      for (const [kind, name] of names) {
        await find(page, kind, name).first().waitFor()
        expect.soft(await find(page, kind, name).count(), `${kind} ${name}`).toBe(1)
      }
    }),
  )
})

describe('a name is no part of another one of its kind beside it, for who looks for a part', () => {
  test.each([
    ['anonymous', '/login', ['Email', 'Password']],
    ['anonymous', '/signup', ['Email', 'Password', 'First name', 'Last name']],
    ['customer', '/transit', ['Prefix']],
    ['customer', '/routers/new', ['Router name']],
  ] as const)('%s at %s: %j', (role, address, names) =>
    as(role, async ({ page }) => {
      await page.goto(address)
      await heading(page).waitFor()
      for (const name of names) expect.soft(await page.getByLabel(name).count(), name).toBe(1)
    }),
  )
})

test('staff find Approve and Reject on a prefix that waits', async () => {
  const staff = await callerOf('staff')
  const { transitPrefixes } = await staff.graphql<{ transitPrefixes: { nodes: { databaseId: number }[] } }>(
    '{ transitPrefixes(status: PENDING) { nodes { databaseId } } }',
  )
  await asNew('staff', async ({ page }) => {
    await page.goto(`/admin/prefixes/${transitPrefixes.nodes[0]!.databaseId}`)
    await heading(page).waitFor()
    for (const name of ['Approve', 'Reject']) expect(await find(page, 'button', name).count(), name).toBe(1)
  })
})
