/** Tables that are worked with: order, columns and density, as their reader chose them. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { asNew, eventually, heading, notices, openBrowser } from './portal.ts'

openBrowser()

const open = async (page: Page, path: string) => {
  await page.goto(path)
  await heading(page).waitFor()
  await page.getByRole('table').waitFor()
}
const column = (page: Page, index: number) =>
  page.getByRole('table').locator(`tbody tr > td:nth-child(${index})`).allInnerTexts()
const header = (page: Page, name: string) => page.getByRole('columnheader', { name })

test('a header sorts the list on the server, by the keyboard too, and the order stands in the address', () =>
  asNew('staff', async ({ page }) => {
    await open(page, '/admin/users/')
    await header(page, 'Email').getByRole('button').focus()
    await page.keyboard.press('Enter')
    await eventually(() => new URL(page.url()).searchParams.get('sort')).toBe('email')
    const sorted = async () => (await column(page, 2)).map((text) => text.split('\n')[0]!)
    await eventually(async () => {
      const rows = await sorted()
      return rows.length > 2 && rows.join() === rows.toSorted().join()
    }).toBe(true)
    expect(await header(page, 'Email').getAttribute('aria-sort')).toBe('ascending')

    await page.keyboard.press('Enter')
    await eventually(() => new URL(page.url()).searchParams.get('sort')).toBe('-email')
    await page.reload()
    await eventually(async () => {
      const rows = await sorted()
      return rows.length > 2 && rows.join() === rows.toSorted().toReversed().join()
    }).toBe(true)
    expect(await header(page, 'Email').getAttribute('aria-sort')).toBe('descending')
    // What no index holds is not offered.
    expect(await header(page, 'This cycle').getByRole('button').count()).toBe(0)
  }))

test('columns and density are remembered for their table alone', () =>
  asNew('staff', async ({ page }) => {
    await open(page, '/admin/prefixes/')
    const height = async () => (await page.locator('tbody tr').first().boundingBox())!.height
    const before = await height()
    await page.getByRole('button', { name: 'View of Prefixes: columns and density' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'RPKI' }).press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).press('Enter')
    await page.keyboard.press('Escape')
    await eventually(() => header(page, 'RPKI').count()).toBe(0)
    await eventually(async () => (await height()) < before).toBe(true)

    await page.reload()
    await page.getByRole('table').waitFor()
    expect(await header(page, 'RPKI').count()).toBe(0)
    expect(await header(page, 'IRR').count()).toBe(1)
    expect(await height()).toBeLessThan(before)
    await open(page, '/admin/users/')
    expect(await height()).toBe(before)
  }))

test('a browser without local storage shows every column, and a choice holds for the page', () =>
  asNew('staff', async ({ page }) => {
    await page.addInitScript(() =>
      Object.defineProperty(globalThis, 'localStorage', {
        get: () => {
          throw new DOMException('denied', 'SecurityError')
        },
      }),
    )
    await open(page, '/admin/prefixes/')
    await page.getByRole('button', { name: 'View of Prefixes: columns and density' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'IRR' }).click()
    await eventually(() => header(page, 'IRR').count()).toBe(0)
    expect(await header(page, 'RPKI').count()).toBe(1)
  }))

test('rows are selected with a range, decided in one call, and what became of each is said', () =>
  asNew('staff', async ({ page }) => {
    const asked: { action: string; ids: number[] }[] = []
    // The product keeps its prefixes for the other tests; what it does with the call is tested beside it.
    await page.route('**/api/admin/transit_prefixes/decisions', (route) => {
      const body = route.request().postDataJSON() as { action: string; ids: number[] }
      asked.push(body)
      return route.fulfill({
        json: body.ids.map((id, index) => ({
          id,
          value: `45.30.${id}.0/24`,
          status: 'PENDING',
          outcome: index === 0 ? 'REFUSED' : 'DONE',
          code: index === 0 ? 'invalid_state' : null,
          detail: index === 0 ? 'Two people have to approve it.' : null,
        })),
      })
    })
    await open(page, '/admin/prefixes/')
    const boxes = page.locator('tbody').getByRole('checkbox')
    const count = await boxes.count()
    expect(count).toBeGreaterThan(2)
    await boxes.first().click()
    await boxes.nth(2).click({ modifiers: ['Shift'] })
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByText('3 selected').waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => bar.count()).toBe(0)

    const all = page.getByRole('checkbox', { name: 'Select all prefixes shown' })
    await all.focus()
    await page.keyboard.press('Space')
    await bar.getByText(`${count} selected`).waitFor()
    await examine(page, 'selected-rows')
    await page.setViewportSize({ width: 1280, height: 800 })
    await bar.getByRole('button', { name: 'Approve selected' }).click()
    await notices(page)
      .getByText(`${count - 1} approved, 1 not approved`)
      .waitFor()
    await notices(page).getByText('Two people have to approve it.').waitFor()
    await eventually(() => bar.count()).toBe(0)
    expect(asked).toMatchObject([{ action: 'approve', ids: { length: count } }])
  }))
