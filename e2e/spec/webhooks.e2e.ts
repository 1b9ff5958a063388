/** A customer's webhook, from the form to a receiver that verifies its messages. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examine } from './examine.ts'
import { asNew, eventually, heading, openBrowser } from './portal.ts'

interface Message {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

openBrowser()

let receiver: Server
let address: string
const messages: Message[] = []
beforeAll(async () => {
  receiver = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      messages.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
      response.writeHead(200).end('thank you')
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await once(receiver, 'close')
})

const dialog = (page: Page) => page.getByRole('dialog')

/** Signs as in Standard Webhooks: HMAC-SHA256 over id, time and body. */
function signatureOf({ headers, body }: Message, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
}

test('is made, pinged, looked into and sent again, switched off and removed', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/settings?tab=webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await dialog(page).getByLabel('Address').fill('http://10.0.0.1/hook')
    await dialog(page).getByRole('button', { name: 'All of IP transit' }).click()
    await dialog(page).getByRole('button', { name: 'Add webhook' }).click()
    await dialog(page).getByText(/https/).first().waitFor()
    await dialog(page).getByLabel('Address').fill(address)
    await dialog(page).getByRole('button', { name: 'Add webhook' }).click()
    const secret = /whsec_\S+/.exec(
      await dialog(page)
        .getByText(/whsec_/)
        .first()
        .innerText(),
    )![0]
    await dialog(page).getByRole('button', { name: 'I’ve saved it' }).click()

    await page.getByRole('link', { name: new RegExp(new URL(address).host) }).click()
    await heading(page)
      .filter({ hasText: new URL(address).host })
      .waitFor()
    await page.getByRole('button', { name: 'Send a ping' }).click()
    await eventually(() => messages.length).toBe(1)
    expect(messages[0]!.headers['webhook-signature']).toBe(signatureOf(messages[0]!, secret))

    const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').nth(1)
    await row.getByText('200').waitFor()
    await row.getByRole('button').first().click()
    await dialog(page).getByText('Response: 200.').waitFor()
    await examine(page, 'webhook-delivery')
    await dialog(page).getByRole('button', { name: 'Send again' }).click()
    await eventually(() => messages.length).toBe(2)
    expect(messages[1]!.headers['webhook-id']).toBe(messages[0]!.headers['webhook-id'])
    await dialog(page).getByRole('button', { name: 'Close' }).first().click()
    await examine(page, 'webhook')

    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('button', { name: 'Switch on' }).waitFor()
    await page.getByRole('button', { name: 'More about this webhook' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await dialog(page).getByRole('button', { name: 'Remove webhook' }).click()
    await page.getByText('Webhook removed').waitFor()
  }))

test('tells of a wrong address and of missing events at once, and of a missing address too', () =>
  asNew('customer', async ({ page }) => {
    await page.goto('/settings?tab=webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    const add = () => dialog(page).getByRole('button', { name: 'Add webhook' }).click()
    await add()
    await dialog(page).getByText('Is required.').waitFor()
    await dialog(page).getByText('Takes at least one.').waitFor()
    await dialog(page).getByLabel('Address').fill('http://10.0.0.1/hook')
    await dialog(page).getByText('Is required.').waitFor({ state: 'detached' })
    await add()
    await dialog(page)
      .getByText(/Must begin with https:|private use/i)
      .first()
      .waitFor()
    await dialog(page).getByText('Takes at least one.').waitFor()
    expect(await dialog(page).getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
  }))
