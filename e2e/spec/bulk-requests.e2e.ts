/** Many requests at once: a pasted list by the customer, and one decision after another by staff. */
import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { asNew, callerOf, eventually, focusOn, heading, notices, openBrowser } from './portal.ts'

openBrowser()

const LIST = '2d10:a1::/40, 2d10:a2::/40\n45.30.250.1/24\n10.0.0.0 - 10.0.3.255 # old office'

test('a customer pastes a list, reads what is wrong, and keeps the refused lines', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/transit')
    await heading(page).waitFor()
    await page.getByRole('button', { name: 'Paste a list' }).click()
    const box = page.getByLabel('Prefixes', { exact: true })
    await box.fill(LIST)
    await page.getByRole('button', { name: 'Check list' }).click()
    const results = page.getByRole('list', { name: 'Result by prefix' })
    await results.getByText('did you mean 45.30.250.0/24').waitFor()
    await results.getByText('enter 10.0.0.0/22').waitFor()
    await page.getByRole('button', { name: 'Request 4 prefixes' }).click()
    await notices(page).getByText('2 prefixes requested').waitFor()
    expect(await box.inputValue()).toBe('45.30.250.1/24\n10.0.0.0-10.0.3.255')
    await page.getByRole('button', { name: 'Replace the range with prefixes' }).click()
    expect(await box.inputValue()).toBe('45.30.250.1/24\n10.0.0.0/22')
  }))

test('a list that is pasted into the field of one prefix becomes a list, and stays one', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/transit')
    await heading(page).waitFor()
    await page.getByLabel('Prefix', { exact: true }).evaluate((field, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', text)
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, LIST)
    const box = page.getByLabel('Prefixes', { exact: true })
    await eventually(() => focusOn(page, box)).toBe(1)
    expect(await box.inputValue()).toBe(LIST)
    await page.getByRole('button', { name: 'Request one prefix' }).click()
    await page.getByRole('button', { name: 'Paste a list' }).click()
    expect(await box.inputValue()).toBe(LIST)
  }))

test(
  'a customer imports what registries list for its ASN and its AS-SET, and takes them into the list',
  { timeout: 120_000 },
  () =>
    asNew('customer', async ({ page }) => {
      await page.goto('/transit')
      await heading(page).waitFor()
      await page.getByRole('button', { name: 'Paste a list' }).click()
      const imported = page.getByRole('region', { name: 'Import from registries' })
      await imported.getByText('your ASN and the members of AS-KESTREL').waitFor()
      await imported.getByRole('button', { name: 'Import from registries' }).click()
      await imported.getByText(/\d+ prefixes found for 2 ASNs,/).waitFor()
      await examine(page, 'import-prefixes')
      const own = imported.getByRole('listitem').filter({ hasText: 'AS500010' })
      await own.getByRole('button', { name: /^Add \d+ to the list$/ }).click()
      expect(await page.getByLabel('Prefixes', { exact: true }).inputValue()).toMatch(/^[\d.:a-f/\n]+$/)
      expect(await page.getByLabel('Announced').inputValue()).toBe('ORIGIN')
      await page.getByRole('button', { name: 'Check list' }).click()
      await page.getByRole('list', { name: 'Result by prefix' }).waitFor()
    }),
)

test('a customer selects prefixes in the table and withdraws them together', () =>
  asNew('customer', async ({ page }) => {
    const values = ['2d10:a8::/40', '2d10:a9::/40']
    const customer = await callerOf('customer')
    for (const value of values)
      await customer.must('POST', '/api/transit_prefixes', { value, announcementType: 'ORIGIN' })
    await page.goto('/transit')
    await heading(page).waitFor()
    await page.getByRole('button', { name: 'Table' }).click()
    const table = page.getByRole('table', { name: 'Prefixes' })
    for (const value of values) await table.getByRole('checkbox', { name: value }).check()
    await examine(page, 'prefix-table')
    // A phone's list has no selection.
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Withdraw' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByText(values.toSorted().join(', '))
      .or(dialog.getByText(values.toReversed().join(', ')))
      .waitFor()
    await dialog.getByRole('button', { name: 'Withdraw 2 prefixes' }).click()
    await notices(page).getByText('2 prefixes withdrawn').waitFor()
    for (const value of values) await eventually(() => table.getByText(value).count()).toBe(0)
  }))

test('staff go through the queue with keys, undo a decision, and let one take effect', () =>
  asNew('staff', async ({ page }) => {
    const staff = await callerOf('staff')
    await page.goto('/admin/prefixes/?status=pending')
    await page.getByRole('link', { name: /^Decide/ }).click()
    const queue = page.getByRole('region', { name: 'Decision queue' })
    await queue.getByText(/\d+ more to decide/).waitFor()
    const first = page.url()
    const id = Number(/(\d+)\?/.exec(first)![1])
    const prefix = () =>
      staff.must<{ value: string; status: string; heldDecision: object | null }>(
        'GET',
        `/api/admin/transit_prefixes/${id}`,
      )
    const { value } = await prefix()
    // The keys apply to the prefix on screen: the address is ahead of it.
    const onScreen = (wanted: boolean) => eventually(() => heading(page).getByText(value).count()).toBe(wanted ? 1 : 0)
    const reject = async () => {
      await page.keyboard.press('r')
      await page.getByLabel('Reason').fill('The registry names somebody else.')
      await page.getByRole('button', { name: 'Reject prefix' }).click()
      await queue.getByText(/^Rejected .* Next: .*, \d+ more to decide\./).waitFor()
      await onScreen(false)
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await onScreen(true)
    await reject()
    expect(await prefix()).toMatchObject({ status: 'PENDING', heldDecision: { action: 'reject' } })
    await page.keyboard.press('u')
    await page.waitForURL(first)
    await onScreen(true)
    expect(await prefix()).toMatchObject({ status: 'PENDING', heldDecision: null })
    await reject()
    await page.waitForTimeout(11_000)
    await expect.poll(async () => (await prefix()).status, { timeout: 10_000 }).toBe('REJECTED')
  }))

test('staff go through the queue on a phone with buttons, from the oldest request on', () =>
  asNew(
    'staff',
    async ({ page }) => {
      const staff = await callerOf('staff')
      const { next } = await staff.must<{ next: { id: number; value: string } }>(
        'GET',
        '/api/admin/transit_prefixes/next',
      )
      await page.goto('/admin/prefixes/?status=pending')
      await page.getByRole('link', { name: /^Decide/ }).click()
      const queue = page.getByRole('region', { name: 'Decision queue' })
      const first = heading(page).getByText(next.value)
      await first.waitFor()
      await queue.getByText(/\d+ more to decide/).waitFor()
      expect(await queue.getByRole('list', { name: 'Keys' }).count()).toBe(0)
      await examine(page, 'decision-queue')
      await page.setViewportSize({ width: 390, height: 844 })
      await queue.getByRole('button', { name: 'Next' }).click()
      await first.waitFor({ state: 'hidden' })
      await queue.getByText(/\d+ more to decide/).waitFor()
      await queue.getByRole('button', { name: 'Previous' }).click()
      await first.waitFor()
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  ))
