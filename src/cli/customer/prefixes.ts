import { transitApi } from '../../transit/index.ts'
import type { CheckResult } from '../../transit/contract.ts'
import { ANNOUNCEMENT_TYPES } from '../../transit/states.ts'
import { formatAsn } from '../../kernel/asn.ts'
import { choice, defineCommand, optional, CommandError, text, wholeNumber } from '../command.ts'
import { apiClientFor, type ApiClient } from './api-client.ts'
import { confirm } from './confirm.ts'
import { JSON_FLAG, KEY_OPTION, YES_FLAG } from './options.ts'
import { day, print, table } from './print.ts'

const ANNOUNCED = {
  type: optional({
    ...choice(...ANNOUNCEMENT_TYPES),
    takes: `who announces it: ${ANNOUNCEMENT_TYPES.join(', ')}; default: ORIGIN`,
  }),
  origin: optional(wholeNumber('the AS that originates a DOWNSTREAM prefix, a number')),
}

const list = defineCommand({
  name: 'prefixes list',
  summary: 'List your prefixes and their status.',
  args: {},
  options: JSON_FLAG,
  async run({ json = false }, terminal) {
    const prefixes = await (await apiClientFor(terminal)).call(transitApi, 'GET /api/transit_prefixes')
    print(terminal, json, prefixes, () => [
      ...table(
        ['ID', 'PREFIX', 'STATUS', 'RPKI', 'IRR', 'ORIGIN', 'LOADED', 'REQUESTED'],
        prefixes.map((prefix) => [
          prefix.id,
          prefix.value,
          prefix.status,
          prefix.rpkiStatus,
          prefix.irrStatus,
          prefix.originAsn && formatAsn(prefix.originAsn),
          prefix.importedAt ? 'yes' : 'no',
          day(prefix.createdAt),
        ]),
      ),
      ...prefixes.flatMap(({ value, attention, statusReason }) => {
        const why = attention ?? statusReason
        return why ? [`${value}: ${why}`] : []
      }),
    ])
  },
})

const check = defineCommand({
  name: 'prefixes check',
  summary: 'Check a prefix without requesting it: problems, and the objects that fix them.',
  notes: 'Exit code 1 if any would be rejected.',
  args: { prefixes: { ...text('one prefix, or several with commas between'), schema: text('').schema.max(10_000) } },
  options: { ...ANNOUNCED, ...JSON_FLAG },
  async run({ prefixes, type = 'ORIGIN', origin, json = false }, terminal) {
    const values = prefixes.split(',').map((value) => value.trim())
    const body = { values, announcementType: type, ...(origin && { originAsn: origin }) }
    const results = await (await apiClientFor(terminal)).call(transitApi, 'POST /api/transit_prefixes/check', { body })
    print(terminal, json, results, () => results.flatMap(describe))
    return results.every(({ acceptable }) => acceptable) ? 0 : 1
  },
})

const request = defineCommand({
  name: 'prefixes request',
  summary: 'Request a prefix.',
  args: { prefix: text('the prefix, for example 192.0.2.0/24') },
  options: { ...ANNOUNCED, ...KEY_OPTION, ...JSON_FLAG },
  async run({ prefix: value, type = 'ORIGIN', origin, key, json = false }, terminal) {
    const body = { value, announcementType: type, ...(origin && { originAsn: origin }) }
    const prefix = await (await apiClientFor(terminal)).call(transitApi, 'POST /api/transit_prefixes', { body }, key)
    print(terminal, json, prefix, () => [`${prefix.value} is ${prefix.status}. ID: ${prefix.id}.`])
  },
})

const withdraw = defineCommand({
  name: 'prefixes withdraw',
  summary: 'Withdraw a prefix: it is removed from the filters and is no longer announced.',
  args: { prefix: text('the prefix, or its ID') },
  options: YES_FLAG,
  async run({ prefix: named, yes = false }, terminal) {
    const apiClient = await apiClientFor(terminal)
    const { id, value } = await find(apiClient, named)
    await confirm(terminal, yes, `withdraws ${value}; it is no longer announced`, value)
    await apiClient.call(transitApi, 'DELETE /api/transit_prefixes/{id}', { params: { id } })
    terminal.say(`${value} is withdrawn.`)
  },
})

async function find(apiClient: ApiClient, named: string) {
  const prefixes = await apiClient.call(transitApi, 'GET /api/transit_prefixes')
  const live = prefixes.filter(({ allowedActions }) => allowedActions.includes('withdraw'))
  const found = live.find(({ id, value }) => value === named || String(id) === named)
  if (found) return found
  const values = live.map(({ value }) => value).join(', ') || 'none'
  throw new CommandError(`PREFIX: you have no ${JSON.stringify(named)} to withdraw. Yours: ${values}.`)
}

function describe({ value, acceptable, problems, rpkiStatus, irrStatus, remediation }: CheckResult): string[] {
  const results = [rpkiStatus && `RPKI ${rpkiStatus}`, irrStatus && `IRR ${irrStatus}`].filter(Boolean).join(', ')
  return [
    `${value}: ${acceptable ? 'would be accepted' : 'would be rejected'}${results ? ` (${results})` : ''}`,
    ...problems.map(({ message }) => `  ${message}`),
    ...remediation.flatMap((remediationStep) => [
      `  ${remediationStep.title}`,
      ...remediationStep.text.split('\n').map((line) => `    ${line}`),
    ]),
  ]
}

export const PREFIX_COMMANDS = [list, check, request, withdraw]
