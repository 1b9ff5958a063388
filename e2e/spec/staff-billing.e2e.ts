/** The staff's side of billing: every figure leads to its items, and money moves with a reason. */
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { waitForMail } from '../product.ts'
import { testServer } from './own-test-server.ts'
import { addressOf, as, callerOf, eventually, heading, notices, openBrowser } from './portal.ts'

openBrowser()

interface Listed {
  readonly id: number
  readonly number: string
  readonly user: { readonly id: number }
}

/** Sora Heron of the demonstration owes an invoice; Ada Tern got credit for part of a paid one. */
async function invoiceOf(name: string, status: string): Promise<Listed> {
  const staff = await callerOf('staff')
  const target = `/api/admin/invoices?search=${name}&status=${status}`
  return (await staff.must<{ invoices: Listed[] }>('GET', target)).invoices[0]!
}

const row = (page: Page | Locator, text: string | RegExp) => page.getByRole('row').filter({ hasText: text })

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await heading(page).waitFor()
}

/** Fills in the open dialog and submits it; it closes when the server has accepted it. */
async function decide(page: Page, title: string | RegExp, action: string, fields: Record<string, string> = {}) {
  const dialog = page.getByRole('dialog', { name: title })
  for (const [label, value] of Object.entries({ Reason: 'As agreed on the phone', ...fields })) {
    await dialog.getByLabel(label, { exact: true }).fill(value)
  }
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const cents = (text: string | null): number =>
  Math.round(Number((text ?? '').replaceAll('−', '-').replaceAll(/[^\d.-]/g, '')) * 100)
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
const lastCells = async (table: Locator): Promise<number[]> =>
  (await table.locator('tbody tr td:last-child').allTextContents()).map(cents)

describe('revenue', () => {
  test('is a picture on the dashboard, with its numbers below it, and leads to the months', () =>
    as('staff', async ({ page }) => {
      await open(page, '/admin')
      await page.getByRole('img', { name: /^Revenue so far over time. Accrued: latest/ }).waitFor()
      await page.getByText('View as table', { exact: true }).click()
      const days = page.getByRole('table', { name: 'Revenue so far, by day' })
      const numbers = await days.locator('tbody tr').count()
      const month = new Date()
      const length = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate()
      // The start, the end of each day, and now.
      expect(numbers).toBe(length + 2)
      await page.getByRole('link', { name: 'View revenue' }).click()
      await page.getByRole('heading', { level: 1, name: 'Revenue' }).waitFor()
    }))

  test('the revenue of a month leads to its customers and to lines that add up to it', () =>
    as('staff', async ({ page }) => {
      await open(page, '/admin/revenue')
      const months = page.getByRole('table', { name: 'Months' })
      await months.getByRole('row').nth(2).getByRole('link').click()
      await page.getByRole('table', { name: 'Customers' }).waitFor()
      const earned = cents(await page.locator('dl', { hasText: 'Earned' }).locator('dd').first().textContent())
      const each = await page.locator('table[aria-label="Customers"] tbody td:nth-last-child(2)').allTextContents()
      expect(each.length).toBeGreaterThan(2)
      expect(sum(each.map(cents))).toBe(earned)
      expect(sum(await lastCells(page.getByRole('table', { name: 'Revenue by kind' })))).toBe(earned)

      await page.getByRole('link', { name: 'Ada Tern' }).click()
      await page.getByRole('heading', { level: 1, name: 'Ada Tern' }).waitFor()
      const own = cents(await page.locator('dl', { hasText: 'Earned' }).locator('dd').first().textContent())
      expect(sum(await lastCells(page.getByRole('table', { name: 'Lines' })))).toBe(own)
      await row(page, 'Outage of a week').waitFor()
      await page.goBack()
      await page.getByRole('table', { name: 'Customers' }).waitFor()
    }))
})

describe('invoices', () => {
  test('the invoices of all customers are filtered by status, and found by number and by customer', () =>
    as('staff', async ({ page }) => {
      const overdue = await invoiceOf('heron', 'OVERDUE')
      await open(page, '/admin/invoices')
      await page.getByRole('link', { name: /^Overdue/ }).click()
      await eventually(() => addressOf(page)).toBe('/admin/invoices?status=overdue')
      await row(page, overdue.number).waitFor()
      await page.getByRole('link', { name: /^Paid/ }).click()
      await row(page, overdue.number).waitFor({ state: 'detached' })

      await page.getByRole('link', { name: 'All', exact: true }).click()
      await page.getByRole('searchbox', { name: 'Search number or customer' }).fill(overdue.number)
      await eventually(() => page.locator('tbody tr').count()).toBe(1)
      await page.getByRole('searchbox').fill('ada tern')
      await row(page, 'Credit note').waitFor()
      expect(await row(page, 'Sora Heron').count()).toBe(0)
      await page.getByRole('searchbox').fill('nobody at all')
      await page.getByText('Nothing matches “nobody at all”.').waitFor()
      const csv = await page.getByRole('link', { name: 'CSV of these invoices' }).getAttribute('href')
      expect(csv).toBe('/api/admin/invoices.csv?search=nobody+at+all')
    }))

  test('are collected when staff ask for it: the refusal of the card arrives automatically', () =>
    as('staff', async ({ page }) => {
      const { number, user } = await invoiceOf('heron', 'OVERDUE')
      await open(page, `/admin/users/${user.id}/billing`)
      const payments = page.getByRole('table', { name: 'Payments and refunds' })
      const tries = await row(payments, number).count()
      await page.getByRole('button', { name: number }).click()
      await page.getByRole('button', { name: 'Charge now' }).click()
      await decide(page, `Charge ${number}`, 'Charge now')
      await notices(page).getByText(`${number} is being charged`).waitFor()
      await page.keyboard.press('Escape')
      await eventually(() => row(payments, number).filter({ hasText: 'Declined' }).count()).toBe(tries + 1)
    }))

  test('are credited in part: the credit note is beside, and the ledger has it', () =>
    as('staff', async ({ page }) => {
      const { number, user } = await invoiceOf('heron', 'OVERDUE')
      await open(page, `/admin/users/${user.id}/billing`)
      await page.getByRole('button', { name: number }).click()
      await page.getByRole('button', { name: 'Issue credit note' }).click()
      const dialog = page.getByRole('dialog', { name: `Credit note for ${number}` })
      await dialog.getByRole('radio', { name: /Part of the lines/ }).check()
      const line = dialog.getByRole('textbox', { name: /^Router heron-edge1/ })
      await line.fill('9999')
      // Looking at the other choice loses no text, and hidden fields are not required.
      await dialog.getByRole('radio', { name: /Everything remaining/ }).check()
      await line.waitFor({ state: 'hidden' })
      await dialog.getByRole('radio', { name: /Part of the lines/ }).check()
      expect(await line.inputValue()).toBe('9999')
      await dialog.getByLabel('Reason').fill('Outage')
      await dialog.getByRole('button', { name: 'Issue credit note' }).click()
      await dialog.getByText(/^Must be between 0 and/).waitFor()
      await line.fill('1.50')
      await dialog.getByRole('button', { name: 'Issue credit note' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Issue credit note' }).click()
      await dialog.getByRole('radio', { name: /Part of the lines/ }).check()
      await page.getByText('Credit notes: €1.50 before tax.').waitFor()
      await dialog.getByText(/^Up to €\d+\.\d\d remaining of €\d+\.\d\d$/).waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await page.keyboard.press('Escape')
      await row(page.getByRole('table', { name: 'Customer’s invoices' }), 'Credit note').waitFor()
      // With its tax of 21 %.
      await row(page.getByRole('table', { name: 'Ledger' }), /Credit note INVC-.*\u2212€1\.8[12]/).waitFor()
    }))
})

describe('a customer', () => {
  const address = `/admin/users/${testServer.customerId}/billing`

  test('is reached from the user, and shows the card by its last four digits alone', () =>
    as('staff', async ({ page }) => {
      await open(page, `/admin/users/${testServer.customerId}`)
      await page.getByRole('link', { name: 'Charges and invoices' }).click()
      await page.getByRole('heading', { level: 1, name: 'Billing of Kes Falkner' }).waitFor()
      await page.getByText('Visa 4242').first().waitFor()
      expect(await page.content()).not.toMatch(/\d{12,19}4242|pm_card/)
    }))

  test('is given a credit, which needs a reason, and can be taken back until an invoice has it', () =>
    as('staff', async ({ page }) => {
      await open(page, address)
      await page.getByRole('button', { name: 'Issue credit' }).click()
      const dialog = page.getByRole('dialog', { name: 'Issue credit' })
      await dialog.getByLabel('Amount').fill('12.345')
      await dialog.getByLabel('Description').fill('Goodwill of e2e')
      await dialog.getByRole('button', { name: 'Issue credit' }).click()
      await eventually(() => dialog.locator('[aria-invalid]').count()).toBe(2)
      await decide(page, 'Issue credit', 'Issue credit', { Amount: '12,34' })
      const credit = row(page.getByRole('table', { name: 'Credits and fees' }), 'Goodwill of e2e')
      await credit.filter({ hasText: '\u2212€12.34' }).waitFor()
      await page.getByRole('button', { name: 'Cancel Goodwill of e2e' }).click()
      await page.getByRole('button', { name: 'Cancel credit' }).click()
      await credit.filter({ hasText: 'Canceled' }).waitFor()
    }))

  test('is charged a fee once, which is in the charges of the month at once', () =>
    as('staff', async ({ page }) => {
      await open(page, address)
      await page.getByRole('button', { name: 'Charge fee' }).click()
      const dialog = page.getByRole('dialog', { name: 'Charge fee' })
      await dialog.getByLabel('Description').fill('Typed before the list was looked at')
      await dialog.getByLabel('Fee', { exact: true }).selectOption({ index: 1 })
      await dialog.getByLabel('Description').waitFor({ state: 'hidden' })
      await dialog.getByLabel('Fee', { exact: true }).selectOption({ index: 0 })
      expect(await dialog.getByLabel('Description').inputValue()).toBe('Typed before the list was looked at')
      await decide(page, 'Charge fee', 'Charge fee', { Amount: '5', Description: 'Remote hands of e2e' })
      await row(page.getByRole('table', { name: 'Charges of this cycle' }), 'Remote hands of e2e').waitFor()
      await page.getByRole('button', { name: 'Cancel Remote hands of e2e' }).click()
      await page.getByRole('button', { name: 'Cancel fee' }).click()
      await row(page.getByRole('table', { name: 'Charges of this cycle' }), 'Remote hands of e2e').waitFor({
        state: 'detached',
      })
    }))

  test('a customer in debt shows how it got there; dunning is paused with a reason and resumed', () =>
    as('staff', async ({ page }) => {
      const { user } = await invoiceOf('heron', 'OVERDUE')
      await open(page, `/admin/users/${user.id}/billing`)
      await page.getByRole('list', { name: 'Dunning steps' }).waitFor()
      const why = page.getByRole('button', { name: 'End suspension' })
      await why.focus()
      await page.getByText('This account is not suspended.').first().waitFor()
      await page.getByRole('button', { name: 'Pause dunning' }).click()
      await decide(page, 'Pause dunning', 'Pause dunning', { Reason: 'They promised for Friday' })
      await page.getByText('Dunning is paused', { exact: true }).first().waitFor()
      const history = page.getByRole('list', { name: 'Dunning history' })
      await history.getByText('They promised for Friday').waitFor()
      await page.getByRole('button', { name: 'Resume dunning' }).click()
      await decide(page, 'Resume dunning', 'Resume dunning')
      await history.getByText('Resumed').waitFor()
    }))

  test('has terms of transit of its own from a day on, and the price list again from another', () =>
    as('staff', async ({ page }) => {
      const { user } = await invoiceOf('tern', 'PAID')
      await open(page, `/admin/users/${user.id}/billing`)
      await page.getByText('Standard pricing').waitFor()
      const agree = async (fields: Record<string, string>, list = false) => {
        await page.getByRole('button', { name: 'Add custom pricing' }).click()
        const dialog = page.getByRole('dialog', { name: 'Add custom transit pricing' })
        if (list) {
          await dialog.getByLabel('Overage price').fill('0.45')
          await dialog.getByRole('radio', { name: /^Standard/ }).check()
          await dialog.getByRole('radio', { name: /^Custom/ }).check()
          expect(await dialog.getByLabel('Overage price').inputValue()).toBe('0.45')
          // Required, empty and hidden: not validated.
          await dialog.getByLabel('Commit', { exact: true }).fill('')
          await dialog.getByRole('radio', { name: /^Standard/ }).check()
        }
        for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value)
        await dialog.getByRole('button', { name: 'Add custom pricing' }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      const terms = page.getByRole('table', { name: 'Custom transit pricing' })
      await agree({ Commit: '100', 'Commit price': '25', 'Overage price': '0.30', From: inDays(40) })
      await row(terms, '100 Mbit/s for €25.00 per month').filter({ hasText: '€0.30' }).waitFor()
      await agree({ From: inDays(70) }, true)
      await row(terms, 'Standard pricing').waitFor()
      await row(terms, 'Standard pricing').getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel custom pricing' }).click()
      await row(terms, 'Standard pricing').waitFor({ state: 'detached' })
    }))

  test('is given a discount of more than nothing, which staff can end', () =>
    as('staff', async ({ page }) => {
      const { user } = await invoiceOf('heron', 'PAID')
      await open(page, `/admin/users/${user.id}/billing`)
      await page.getByRole('button', { name: 'Add discount' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add discount' })
      await dialog.getByLabel('Percent').fill('0,0')
      await dialog.getByLabel('Description').fill('   ')
      await dialog.getByRole('button', { name: 'Add discount' }).click()
      await dialog.getByText('Must be above 0 and up to 100, with up to two decimals').waitFor()
      expect(await dialog.getByLabel('Description').getAttribute('aria-invalid')).toBe('true')
      await decide(page, 'Add discount', 'Add discount', { Percent: ' 7,5 ', Description: 'A visit' })
      const given = row(page.getByRole('table', { name: 'Discounts' }), 'A visit')
      await given.filter({ hasText: '7.5 %' }).waitFor()
      await given.getByRole('button', { name: 'End A visit' }).click()
      await decide(page, 'End “A visit”', 'End discount')
      await given.getByRole('button').waitFor({ state: 'detached' })
    }))

  test('gets back what is in favour, and nothing more', () =>
    as('staff', async ({ page }) => {
      const { number, user } = await invoiceOf('tern', 'PAID')
      await open(page, `/admin/users/${user.id}/billing`)
      const credited = row(page.getByRole('table', { name: 'Customer’s invoices' }), '\u2212€4.98').first()
      await credited.waitFor()
      expect(number).toMatch(/^INVC?-/)
      const refund = page.getByRole('button', { name: /^Refund the payment of/ })
      await refund.first().click()
      const dialog = page.getByRole('dialog', { name: /^Refund the payment of/ })
      await dialog.getByLabel('Amount').fill('100')
      await dialog.getByLabel('Reason').fill('Outage')
      await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
      await dialog.getByText('Is at most €4.98.').waitFor()
      await decide(page, /^Refund the payment of/, 'Refund', { Amount: '4.98' })
      await row(page.getByRole('table', { name: 'Payments and refunds' }), 'Refunded').waitFor()
      await eventually(() => refund.first().getAttribute('aria-disabled')).toBe('true')
    }))
})

describe('prices', () => {
  test('show whom a raise touches, refuse it too soon, and tell those who will pay it', () =>
    as('staff', async ({ page }) => {
      await open(page, '/admin/prices')
      await page.getByRole('button', { name: 'New price for Lark' }).click()
      const dialog = page.getByRole('dialog', { name: 'New price for Lark' })
      await dialog.getByLabel('Monthly cap').fill('5.90')
      await dialog.getByLabel('From').fill(inDays(3))
      await dialog.getByRole('button', { name: 'Preview impact' }).click()
      // Tests of other pages may have ordered one too, and the second customer of the demonstration has a discount.
      await dialog.getByText(/^\d+ customers? ha(s|ve) this now: \+€\d+\.\d\d per month$/).waitFor()
      await dialog.getByText('Kes Falkner').waitFor()
      await dialog.getByRole('button', { name: 'Set price' }).click()
      await dialog.getByText(/^Is too soon: it raises what \d+ customers? ha/).waitFor()
      await dialog.getByLabel('From').fill(inDays(32))
      // The preview was for another day.
      await dialog.getByRole('button', { name: 'Preview impact' }).click()
      await dialog.getByRole('button', { name: 'Set price' }).click()
      await dialog.waitFor({ state: 'detached' })
      const announced = row(page.getByRole('table', { name: 'Price history' }), 'Scheduled')
      await announced.filter({ hasText: '€5.90 per month at most' }).waitFor()
      const mail = await waitForMail(
        path.join(testServer.dataDir, 'mail'),
        'customer@example.net',
        /€4\.90 now, €5\.90 then/,
        10_000,
      )
      expect(mail.subject).toContain('New price for router Lark')
      await page.getByRole('button', { name: 'Cancel the price of Lark' }).click()
      await page.getByRole('button', { name: 'Cancel price' }).click()
      await announced.waitFor({ state: 'detached' })
    }))

  test('a new fee says at each field what it takes', () =>
    as('staff', async ({ page }) => {
      const slug = `visit-${randomUUID().slice(0, 8)}`
      const name = `A ${slug}`
      await open(page, '/admin/prices')
      await page.getByRole('button', { name: 'Create fee' }).click()
      const dialog = page.getByRole('dialog', { name: 'Create fee' })
      const action = dialog.getByRole('button', { name: 'Create fee' })
      await dialog.getByLabel('Fee name').fill(name)
      await dialog.getByLabel('Short name').fill(name)
      await dialog.getByLabel('Price', { exact: true }).fill('12.505')
      await action.click()
      await dialog.getByText('Must be 1 to 40 lowercase letters, digits or hyphens').waitFor()
      await dialog.getByText(/^Must be an amount .*such as 1250.50/).waitFor()
      await dialog.getByLabel('Short name').fill(slug)
      await dialog.getByLabel('Price', { exact: true }).fill('12.50')
      await action.click()
      await dialog.waitFor({ state: 'detached' })
      await row(page.getByRole('table', { name: 'One-time fees' }), name).waitFor()
      await page.getByRole('button', { name: 'Create fee' }).click()
      await dialog.getByLabel('Fee name').fill('Another of that name')
      await dialog.getByLabel('Short name').fill(slug)
      await dialog.getByLabel('Price', { exact: true }).fill('25')
      await action.click()
      await dialog.getByText('Is a fee already').waitFor()
    }))

  test('a new plan has a price; a retired one can no longer be chosen', () =>
    as('staff', async ({ page }) => {
      await open(page, '/admin/prices')
      await page.getByRole('button', { name: 'Create plan' }).click()
      const dialog = page.getByRole('dialog', { name: 'Create plan' })
      for (const [label, value] of Object.entries({
        'Plan name': 'Wren',
        'Short name': 'wren',
        CPUs: '1',
        Memory: '128',
        Disk: '1',
        'Hourly price': '0.01',
        'Monthly cap': '2.90',
      }))
        await dialog.getByLabel(label, { exact: true }).fill(value)
      await dialog.getByRole('button', { name: 'Create plan' }).click()
      const wren = row(page.getByRole('table', { name: 'Router plans' }), 'Wren')
      await wren.waitFor()
      const offered = async () =>
        (await (await callerOf('staff')).must<{ plans: { slug: string }[] }>('GET', '/api/catalogue')).plans.map(
          (plan) => plan.slug,
        )
      expect(await offered()).toContain('wren')
      await page.getByRole('button', { name: 'Retire Wren' }).click()
      await decide(page, 'Retire Wren', 'Retire plan')
      await wren.filter({ hasText: 'Retired' }).waitFor()
      expect(await offered()).not.toContain('wren')
    }))
})

test('a rate of tax that no one confirmed says so, until someone names its source', () =>
  as('staff', async ({ page }) => {
    await open(page, '/admin/tax')
    const malta = row(page.getByRole('table', { name: 'Tax rates' }), 'Malta')
    await malta.filter({ hasText: 'Unconfirmed' }).waitFor()
    await page.getByRole('button', { name: 'Confirm the rate for Malta' }).click()
    const dialog = page.getByRole('dialog', { name: /^Rate for Malta/ })
    await dialog.getByRole('button', { name: 'Confirm rate' }).click()
    await eventually(() => dialog.locator('[aria-invalid]').count()).toBe(1)
    await dialog.getByLabel('Source').fill('Value Added Tax Act, Cap. 406')
    await dialog.getByRole('button', { name: 'Confirm rate' }).click()
    await malta.filter({ hasText: 'staff@example.net' }).waitFor()
    await malta.filter({ hasText: 'Cap. 406' }).waitFor()
  }))

test('the operator’s terms are saved, and refuse steps of dunning out of order at their fields', () =>
  as('staff', async ({ page }) => {
    await open(page, '/admin/billing-settings')
    await page.getByLabel('Last warning').fill('20')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Is at least 21: the step before comes first.').waitFor()
    await page.getByLabel('Last warning').fill('10')
    await page.getByLabel('Registration').fill('KvK 00000000')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const { registration } = await (
      await callerOf('staff')
    ).must<{ registration: string }>('GET', '/api/admin/billing/settings')
    expect(registration).toBe('KvK 00000000')
  }))

// Last: afterwards nothing in the demonstration is overdue.
test('what no one will pay is written off, and what it held back comes on again', () =>
  as('staff', async ({ page }) => {
    const { number, user } = await invoiceOf('heron', 'OVERDUE')
    await open(page, `/admin/users/${user.id}/billing`)
    await page.getByRole('button', { name: number }).click()
    await page.getByRole('button', { name: 'Write off' }).click()
    await decide(page, `Write off ${number}`, 'Write off', { Reason: 'Bankrupt' })
    await page.keyboard.press('Escape')
    const invoices = page.getByRole('table', { name: 'Customer’s invoices' })
    await row(invoices, number).filter({ hasText: 'Written off' }).waitFor()
    await page.getByText('In good standing').first().waitFor()
  }))
