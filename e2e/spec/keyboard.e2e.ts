/** The main journeys by keyboard only, with a visible focus at every stop. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../product.ts'
import { addressOf, as, asNew, callerOf, eventually, focusOn, heading, notices, openBrowser } from './portal.ts'

openBrowser()

/** No page needs more presses of Tab to reach its purpose. */
const MOST_STOPS = 70

async function tabTo(page: Page, what: Locator): Promise<void> {
  await what.waitFor()
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    if ((await focusOn(page, what)) === 1) return
    await page.keyboard.press('Tab')
    expect(await page.evaluate(FOCUS_IS_VISIBLE), `the focus is visible on ${await described(page)}`).toBe(true)
  }
  throw new Error(`${MOST_STOPS} presses of Tab did not lead to ${String(what)}`)
}

/** An outline on the focused element, on what it draws over its row, or on the card around it. */
const FOCUS_IS_VISIBLE = `(() => {
  const focused = document.activeElement
  if (!focused || focused === document.body) return true
  const outlined = (element, part) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element, part)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
  }
  const card = focused.closest('label, tr, li')
  return outlined(focused) || outlined(focused, '::after') || (card !== null && outlined(card))
})()`

const described = (page: Page): Promise<string> =>
  page.evaluate<string>("document.activeElement?.outerHTML.slice(0, 160) ?? ''")

/**
 * Browsers reset the focus of a removed element to the body: a screen reader hears nothing, a keyboard starts from the
 * top.
 */
const IS_LOST = 'document.activeElement === document.body'

/** Returns an Ed25519 key (RFC 8709) of 32 bytes whose secret nobody has, with its name as the comment. */
function sshKey(name: string): string {
  const parts = [Buffer.from('ssh-ed25519'), Buffer.alloc(32, name)].flatMap((part) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(part.length)
    return [length, part]
  })
  return `ssh-ed25519 ${Buffer.concat(parts).toString('base64')} ${name}`
}

async function fill(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }))
  await page.keyboard.type(text)
}

test('sign in, and find the list of routers', () =>
  asNew('anonymous', async ({ page }) => {
    await page.goto('/login')
    await fill(page, 'Email', 'customer@example.net')
    await fill(page, 'Password', DEMO_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Routers' }).waitFor()
    await tabTo(page, page.getByRole('link', { name: 'IP Transit' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'IP Transit' }).waitFor()
  }))

test('create a router', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/')
    await tabTo(page, page.getByRole('link', { name: 'Create router' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Create a router' }).waitFor()
    await fill(page, 'Router name', 'by-keyboard')
    const plans = page.getByRole('group', { name: 'Plan' }).getByRole('radio')
    await tabTo(page, plans.first())
    await page.keyboard.press('ArrowDown')
    await eventually(() => plans.nth(1).isChecked()).toBe(true)
    await page.keyboard.press('ArrowUp')
    await tabTo(page, page.getByRole('button', { name: 'Create router' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'by-keyboard' }).waitFor()
    expect(addressOf(page)).toMatch(/^\/routers\/\d+$/)
  }))

test('request a prefix', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/')
    await heading(page).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.getByRole('heading', { level: 1, name: 'IP Transit' }).waitFor()
    await fill(page, 'Prefix', '45.30.13.0/24')
    await tabTo(page, page.getByRole('button', { name: 'Request prefix' }))
    await page.keyboard.press('Enter')
    await notices(page).getByText('45.30.13.0/24 requested').waitFor()
    await page.getByRole('main').getByText('45.30.13.0/24').first().waitFor()
  }))

test.each([
  ['ipv6 session', 'IPv6 session', '/transit/sessions/6'],
  ['invoice', /^Invoice/, `/billing/invoices/`],
])('the palette leads a customer to its own things: %s', (words, label, address) =>
  asNew('customer', async ({ page }) => {
    await page.goto('/')
    await heading(page).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Jump to' }).waitFor()
    await page.keyboard.type(words)
    await page.getByRole('option', { name: label, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await eventually(() => addressOf(page)).toMatch(new RegExp(`^${address}\\d*$`))
    await page.getByRole('heading', { level: 1, name: label }).waitFor()
  }),
)

test('approve a prefix, found through the palette', async () => {
  const staff = await callerOf('staff')
  const { transitPrefixes } = await staff.graphql<{
    transitPrefixes: { nodes: { databaseId: number; value: string }[] }
  }>('{ transitPrefixes(status: PENDING) { nodes { databaseId value } } }')
  const value = '2d10:10::/32'
  const { databaseId } = transitPrefixes.nodes.find((prefix) => prefix.value === value)!
  await asNew('staff', async ({ page }) => {
    await page.goto('/admin')
    await heading(page).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Jump to' }).waitFor()
    await page.keyboard.type('Prefixes')
    await page.getByRole('option', { name: /Prefixes/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Prefixes' }).waitFor()
    await eventually(() => focusOn(page, heading(page))).toBe(1)
    await tabTo(page, page.getByRole('main').getByRole('link', { name: value }))
    await page.keyboard.press('Enter')
    await eventually(() => addressOf(page)).toBe(`/admin/prefixes/${databaseId}`)
    await tabTo(page, page.getByRole('button', { name: 'Approve' }))
    await page.keyboard.press('Enter')
    await notices(page).getByText(`Approved ${value}`).waitFor()
  })
})

test('search for a customer, open the only hit with Enter, and walk the rows with the arrows', () =>
  as('staff', async ({ page }) => {
    await page.goto('/admin/users/')
    await heading(page).waitFor()
    const field = page.getByRole('searchbox')
    await field.waitFor()
    await page.keyboard.press('/')
    // Enter comes before the response, while the rows do not match the text: it waits for the row that does.
    await page.keyboard.type('newcomer@')
    await page.keyboard.press('Enter')
    await eventually(() => addressOf(page)).toMatch(/^\/admin\/users\/\d+$/)

    await page.goto('/admin/users/')
    await field.waitFor()
    await page.keyboard.press('/')
    const rows = page.getByRole('table').getByRole('row').getByRole('link')
    await page.keyboard.press('ArrowDown')
    await eventually(() => focusOn(page, rows.first())).toBe(1)
    await page.keyboard.press('ArrowDown')
    await eventually(() => focusOn(page, rows.nth(1))).toBe(1)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await eventually(() => focusOn(page, field)).toBe(1)
    // With several matches Enter opens none; Escape leaves the field, so that the next keys are shortcuts again.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.getByRole('heading', { level: 1, name: 'Prefixes' }).waitFor()
  }))

test.each([
  { path: '/admin/audit', calls: /\/api\/admin\/audit_events(?:\?|$)/, filter: 'Search user, event or IP address' },
  { path: '/admin/invoices', calls: /\/api\/admin\/invoices(?:\?|$)/, filter: 'Search number or customer' },
])('Enter on $path opens no row while the search is still on its way', ({ path, calls, filter }) =>
  asNew('staff', async ({ page }) => {
    const held = Promise.withResolvers<void>()
    await page.route(calls, async (route) => {
      const { searchParams } = new URL(route.request().url())
      // The list before the search has one row, which Enter would open.
      if (searchParams.get('search') === 'nothing has this') await held.promise
      else searchParams.set('limit', '1')
      const url = new URL(route.request().url())
      url.search = String(searchParams)
      await route.continue({ url: String(url) })
    })
    await page.goto(path)
    await page.locator('tbody tr').first().waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.getByLabel(filter).fill('nothing has this')
    await page.keyboard.press('Enter')
    await eventually(() => new URL(page.url()).searchParams.get('search')).toBe('nothing has this')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').count()).toBe(0)
    held.resolve()
    await eventually(() => page.locator('tbody .row-link').count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(0)
  }),
)

test('prefixes are filtered and walked by keys, and Enter unfolds the only one that is left', () =>
  asNew('customer', async ({ page }) => {
    await page.route('**/api/transit_prefixes', async (route) => {
      const response = await route.fetch()
      const [first] = (await response.json()) as object[]
      const values = Array.from({ length: 12 }, (_, index) => `46.0.${index}.0/24`)
      await route.fulfill({ response, json: values.map((value, index) => ({ ...first, id: index + 1, value })) })
    })
    await page.goto('/transit')
    const rows = page.locator('summary[data-row]')
    await rows.nth(11).waitFor()
    await page.getByLabel('Filter list').focus()
    await page.keyboard.press('ArrowDown')
    await eventually(() => focusOn(page, rows.first())).toBe(1)
    await page.keyboard.press('ArrowDown')
    await eventually(() => focusOn(page, rows.nth(1))).toBe(1)
    await page.getByLabel('Filter list').focus()
    await page.keyboard.type('46.0.7.')
    await page.keyboard.press('Enter')
    await eventually(() => page.locator('details[open] > summary[data-row]').allInnerTexts()).toHaveLength(1)
    expect(await rows.first().innerText()).toContain('46.0.7.0/24')
  }))

test('a dialog keeps the focus, and gives it back', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/billing')
    const opener = page.getByRole('button', { name: 'Support', exact: true })
    await tabTo(page, opener)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Support' })
    await dialog.waitFor()
    for (let stops = 0; stops < 8; stops += 1) {
      await page.keyboard.press('Tab')
      expect(
        await page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')"),
      ).toBe(true)
    }
    await page.keyboard.press('Escape')
    await eventually(() => focusOn(page, opener)).toBe(1)
  }))

test('what had the focus and is gone passes it on to what is in its place', () =>
  asNew('newcomer', async ({ page }) => {
    await page.goto('/settings?tab=access')
    const add = page.getByRole('button', { name: 'Add SSH key' })
    for (const name of ['first', 'second']) {
      await tabTo(page, add)
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Add an SSH key' })
      await dialog.getByLabel('Public key').fill(sshKey(name))
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
      await dialog.waitFor({ state: 'detached' })
      // The first key's row replaced the button; the second found the button where it had been.
      await eventually(() => page.evaluate(IS_LOST)).toBe(false)
    }
    const remove = async (name: string) => {
      await page.getByRole('button', { name: `Remove ${name}` }).press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Remove SSH key' }).press('Enter')
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor({ state: 'detached' })
    }
    await remove('first')
    await eventually(() => focusOn(page, page.getByRole('row', { name: /second/ }).getByRole('button'))).toBe(1)
    await remove('second')
    await eventually(() => focusOn(page, add)).toBe(1)
  }))

test('a menu that goes together with the row that it was in leaves a screen that still answers', () =>
  asNew('newcomer', async ({ page }) => {
    const newcomer = await callerOf('newcomer')
    for (const token of ['pm_card_visa', 'pm_card_mastercard']) {
      await newcomer.must('POST', '/api/account/payment_methods', { token })
    }
    const broken: Error[] = []
    page.on('pageerror', (error) => broken.push(error))
    await page.goto('/billing')
    await page.getByRole('button', { name: 'Actions for Mastercard 4444' }).click()
    await page.getByRole('menuitem', { name: 'Make default' }).click()
    await page.getByRole('row', { name: /Mastercard 4444 Default/ }).waitFor()
    for (const card of ['Visa 4242', 'Mastercard 4444']) {
      await page.getByRole('button', { name: `Actions for ${card}` }).click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove card' }).click()
      await page.getByRole('row', { name: card }).waitFor({ state: 'detached' })
    }
    expect(broken).toEqual([])
  }))

test('what falls apart while it leaves the screen breaks nothing', () =>
  asNew('customer', async ({ page, consoleErrors }) => {
    await page.goto('/billing')
    await heading(page).waitFor()
    await page.waitForLoadState('networkidle')
    await page.evaluate(`(async () => {
      const outer = document.createElement('div')
      outer.innerHTML = '<p><button>Soon gone</button></p>'
      document.querySelector('main').append(outer)
      const button = outer.querySelector('button')
      button.focus()
      outer.remove()
      button.remove()
      await new Promise((resolve) => setTimeout(resolve, 100))
    })()`)
    expect(consoleErrors).toEqual([])
  }))

test('a button whose press puts a form in its place leads into the form, and back', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/awaiting-verification')
    const change = page.getByRole('button', { name: 'Change', exact: true })
    await tabTo(page, change)
    await page.keyboard.press('Enter')
    await eventually(() => focusOn(page, page.getByLabel('ASN', { exact: true }))).toBe(1)
    await tabTo(page, page.getByRole('button', { name: 'Cancel' }))
    await page.keyboard.press('Enter')
    await eventually(() => focusOn(page, change)).toBe(1)
  }))

test('a dialog that was opened from a menu gives the focus back to the menu’s button', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'kestrel-ams1' }).click()
    const more = page.getByRole('button', { name: 'More actions for kestrel-ams1' })
    await tabTo(page, more)
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Reset' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => focusOn(page, more)).toBe(1)
  }))

/** Opens the dialog in which an SSH key was sent that the server failed to save. */
async function failInDialog(page: Page): Promise<Locator> {
  await page.goto('/settings?tab=access')
  await page.route('**/api/user/ssh_keys', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500 }) : route.continue(),
  )
  await page.getByRole('button', { name: 'Add SSH key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an SSH key' })
  await dialog.getByLabel('Public key').fill(sshKey('lost'))
  await dialog.getByRole('button', { name: 'Add SSH key' }).click()
  return dialog
}

test('a notification above an open dialog can be reached, and gives the focus back to the dialog', () =>
  asNew('customer', async ({ page }) => {
    const dialog = await failInDialog(page)
    const dismiss = notices(page).getByRole('button', { name: 'Dismiss' })
    await tabTo(page, dismiss)
    await page.keyboard.press('Enter')
    await dismiss.waitFor({ state: 'detached' })
    expect(await page.evaluate("!!document.activeElement.closest('dialog')")).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }))

test('a failure that was shown above a dialog is still shown when the dialog has closed', () =>
  asNew('customer', async ({ page }) => {
    const dialog = await failInDialog(page)
    const shown = notices(page).getByRole('listitem')
    await shown.waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await shown.waitFor()
    await shown.getByRole('button', { name: 'Dismiss' }).click()
    await shown.waitFor({ state: 'detached' })
  }))
