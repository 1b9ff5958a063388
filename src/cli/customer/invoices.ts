import { writeFile } from 'node:fs/promises'
import { billingApi } from '../../billing/index.ts'
import { formatMoney } from '../../kernel/money.ts'
import { defineCommand, optional, CommandError, text } from '../command.ts'
import { apiClientFor, readCapped } from './api-client.ts'
import { JSON_FLAG } from './options.ts'
import { day, print, table } from './print.ts'

const list = defineCommand({
  name: 'invoices list',
  summary: 'List your invoices and credit notes, newest first.',
  args: {},
  options: JSON_FLAG,
  async run({ json = false }, terminal) {
    const invoices = await (await apiClientFor(terminal)).call(billingApi, 'GET /api/invoices')
    print(terminal, json, invoices, () =>
      table(
        ['ID', 'NUMBER', 'STATUS', 'TOTAL', 'OPEN', 'ISSUED', 'DUE'],
        invoices.map(({ id, number, status, total, open, currency, issuedAt, dueAt }) => [
          id,
          number,
          status,
          formatMoney({ amount: total, currency }),
          formatMoney({ amount: open, currency }),
          day(issuedAt),
          day(dueAt),
        ]),
      ),
    )
  },
})

const pdf = defineCommand({
  name: 'invoices pdf',
  summary: 'Download an invoice as a PDF.',
  args: { invoice: text('its number, or its id') },
  options: { out: optional(text('the file to write; NUMBER.pdf unless said otherwise')) },
  async run({ invoice: named, out }, terminal) {
    const apiClient = await apiClientFor(terminal)
    const invoices = await apiClient.call(billingApi, 'GET /api/invoices')
    const found = invoices.find(({ id, number }) => number === named || String(id) === named)
    if (!found) throw new CommandError(`INVOICE: you have no ${JSON.stringify(named)}: see longhaul invoices list.`)
    const file = await readCapped(await apiClient.open(`/api/invoices/${found.id}.pdf`, 'application/pdf'))
    // The portal chooses the number, but it is still external input to the CLI: it must not contain a folder.
    const target = out ?? `${(found.number ?? `draft-${found.id}`).replaceAll(/[^\w.-]/g, '-')}.pdf`
    await writeFile(target, file, { flag: out ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(
        `${target} cannot be written: ${error.code === 'EEXIST' ? 'it is there already' : error.message}`,
      )
    })
    terminal.say(`Wrote ${target}.`)
  },
})

export const INVOICE_COMMANDS = [list, pdf]
