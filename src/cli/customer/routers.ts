import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { routersApi } from '../../routers/index.ts'
import type { Router } from '../../routers/contract.ts'
import { ACTION_LABELS, type PowerAction } from '../../routers/states.ts'
import { defineCommand, flag, optional, CommandError, text } from '../command.ts'
import { apiClientFor, type ApiClient } from './api-client.ts'
import { confirm } from './confirm.ts'
import { JSON_FLAG, KEY_OPTION, YES_FLAG } from './options.ts'
import { printDetails, print, table, when } from './print.ts'

const WAIT = { wait: flag('wait until it is done, at most ten minutes') }
const WAIT_MS = 600_000
const POLL_EVERY_MS = 1_000
/** Transient states. */
const MOVING = new Set(['CREATING', 'STARTING', 'STOPPING', 'REBOOTING', 'REINSTALLING', 'RESIZING', 'MIGRATING'])
const ROUTER = text('the name of a router, or its id')

const list = defineCommand({
  name: 'routers list',
  summary: 'List your routers.',
  args: {},
  options: JSON_FLAG,
  async run({ json = false }, terminal) {
    const routers = await (await apiClientFor(terminal)).call(routersApi, 'GET /api/virtual_machines')
    print(terminal, json, routers, () =>
      table(
        ['ID', 'NAME', 'STATE', 'SITE', 'PLAN', 'IPV4', 'IPV6'],
        routers.map((router) => [router.id, router.name, router.state, router.site, router.plan, ...addresses(router)]),
      ),
    )
  },
})

const show = defineCommand({
  name: 'routers show',
  summary: 'Show the state, addresses and BGP sessions of a router.',
  args: { router: ROUTER },
  options: JSON_FLAG,
  async run({ router: named, json = false }, terminal) {
    const apiClient = await apiClientFor(terminal)
    const { id } = await find(apiClient, named)
    const router = await apiClient.call(routersApi, 'GET /api/virtual_machines/{id}', { params: { id } })
    print(terminal, json, router, () => {
      const [address4, address6] = addresses(router)
      return [
        ...printDetails([
          ['Name', router.name],
          ['State', router.stateKnown ? router.state : `${router.state} (as last seen ${when(router.observedAt)})`],
          ...(router.failure ? [['Failure', router.failure] as const] : []),
          ['UUID', router.uuid],
          ['Site', router.site],
          ['Plan', `${router.plan}: ${router.cpus} CPU, ${router.memory} MiB, ${router.diskSize} GiB`],
          ['Image', router.image],
          ['IPv4', address4],
          ['IPv6', address6],
          ['Created', when(router.createdAt)],
          ['You may', router.allowedActions.join(', ') || null],
        ]),
        ...router.sessions.map(
          ({ family, peerAddress, state, accepted }) =>
            `Session IPv${family} with ${peerAddress}: ${state}, ${accepted} accepted`,
        ),
      ]
    })
  },
})

const create = defineCommand({
  name: 'routers create',
  summary: 'Order a router. Billing starts when it first comes online.',
  notes: 'Sites, plans and images: longhaul catalogue.',
  args: { name: text('its name') },
  options: {
    site: text('the site'),
    plan: text('the plan'),
    image: text('the image'),
    'ssh-key': optional(text('a file with a public key; default: the keys of your account')),
    ...WAIT,
    ...KEY_OPTION,
    ...JSON_FLAG,
  },
  async run({ name, site, plan, image, 'ssh-key': file, wait = false, key, json = false }, terminal) {
    const apiClient = await apiClientFor(terminal)
    const sshKeys = file === undefined ? undefined : [(await readFile(file, 'utf8')).trim()]
    const body = { name, site, plan, image, ...(sshKeys && { sshKeys }) }
    const ordered = await apiClient.call(routersApi, 'POST /api/virtual_machines', { body }, key)
    const router = wait ? await waitUntilSteady(apiClient, ordered.id) : ordered
    print(terminal, json, router, () => [`${router.name} is ${router.state}. ID: ${router.id}.`])
    return router.state === 'FAILED' ? 1 : 0
  },
})

interface Power {
  readonly word: 'start' | 'stop' | 'reboot'
  readonly gentle: PowerAction
  readonly hard?: PowerAction
  readonly summary: string
}

const power = ({ word, gentle, hard, summary }: Power) =>
  defineCommand({
    name: `routers ${word}`,
    summary,
    args: { router: ROUTER },
    options: {
      ...(hard && { force: flag(`${ACTION_LABELS[hard]} it without a clean shutdown`) }),
      ...WAIT,
      ...JSON_FLAG,
    } as { force: ReturnType<typeof flag>; wait: ReturnType<typeof flag>; json: ReturnType<typeof flag> },
    async run({ router: named, force = false, wait = false, json = false }, terminal) {
      const apiClient = await apiClientFor(terminal)
      const { id } = await find(apiClient, named)
      const body = { action: force && hard ? hard : gentle }
      const response = await apiClient.call(routersApi, 'POST /api/virtual_machines/{id}/actions', {
        params: { id },
        body,
      })
      const router = wait ? await waitUntilSteady(apiClient, id) : response
      print(terminal, json, router, () => [`${router.name} is ${router.state}.`])
      return router.state === 'FAILED' ? 1 : 0
    },
  })

const remove = defineCommand({
  name: 'routers delete',
  summary: 'Delete a router and its disk, and release its addresses.',
  args: { router: ROUTER },
  options: { ...YES_FLAG, ...WAIT },
  async run({ router: named, yes = false, wait = false }, terminal) {
    const apiClient = await apiClientFor(terminal)
    const { id, name } = await find(apiClient, named)
    const params = { id }
    const { deletionGrace } = await apiClient.call(routersApi, 'GET /api/virtual_machines/{id}', { params })
    const fate = deletionGrace > 0 ? 'deletes it; it can be restored for a time' : 'deletes it permanently'
    await confirm(terminal, yes, `${fate}: ${name}, its disk and its addresses`, name)
    const { purgeAt } = await apiClient.call(routersApi, 'DELETE /api/virtual_machines/{id}', { params })
    if (purgeAt !== null) {
      return terminal.say(
        `${name} is deleted. Until ${when(purgeAt)} you can restore it: longhaul routers restore ${id}`,
      )
    }
    if (wait) await until(async () => !(await listed(apiClient)).some((router) => router.id === id))
    terminal.say(wait ? `${name} is gone.` : `${name} is being deleted.`)
  },
})

const restore = defineCommand({
  name: 'routers restore',
  summary: 'Restore a deleted router, if the operator keeps deleted routers for a time.',
  args: { router: ROUTER },
  options: { name: optional(text('another name, if its name is taken')), ...WAIT, ...JSON_FLAG },
  async run({ router: named, name, wait = false, json = false }, terminal) {
    const apiClient = await apiClientFor(terminal)
    const { id } = await find(apiClient, named, ({ purgeAt }) => purgeAt !== null)
    const body = { ...(name !== undefined && { name }) }
    const response = await apiClient.call(routersApi, 'POST /api/virtual_machines/{id}/restore', {
      params: { id },
      body,
    })
    const router = wait ? await waitUntilSteady(apiClient, id) : response
    print(terminal, json, router, () => [`${router.name} is ${router.state}.`])
    return router.state === 'FAILED' ? 1 : 0
  },
})

const catalogue = defineCommand({
  name: 'catalogue',
  summary: 'List the sites, plans and images that "routers create" takes.',
  args: {},
  options: JSON_FLAG,
  async run({ json = false }, terminal) {
    const offer = await (await apiClientFor(terminal)).call(routersApi, 'GET /api/catalogue')
    print(terminal, json, offer, () =>
      table(
        ['KIND', 'WORD', 'NAME'],
        (['sites', 'plans', 'images'] as const).flatMap((kind) =>
          offer[kind].map(({ slug, name }) => [kind.slice(0, -1), slug, name]),
        ),
      ),
    )
  },
})

const addresses = ({ addresses: all }: Pick<Router, 'addresses'>): [string | null, string | null] => {
  const of = (family: number): string | null => {
    const found = all.find((one) => one.family === family)
    return found ? `${found.address}/${found.prefixLength}` : null
  }
  return [of(4), of(6)]
}

const listed = (apiClient: ApiClient) => apiClient.call(routersApi, 'GET /api/virtual_machines')

const isAlive = ({ state }: Router): boolean => state !== 'DELETING'

/** Two routers can share a name while one is being deleted; `meant` selects the right one. */
async function find(apiClient: ApiClient, named: string, meant = isAlive): Promise<Router> {
  const routers = await listed(apiClient)
  const called = routers.filter(({ id, name }) => name === named || String(id) === named)
  const found = called.length > 1 ? called.filter((router) => meant(router)) : called
  if (found.length === 1) return found[0]!
  const names = routers.map(({ name }) => name).join(', ') || 'none yet'
  throw new CommandError(
    found.length === 0
      ? `ROUTER: you have no router called ${JSON.stringify(named)}. Yours: ${names}.`
      : `ROUTER: several are called ${named}: use the ID.`,
  )
}

/** Polls until the state is no longer transient. */
async function waitUntilSteady(apiClient: ApiClient, id: number): Promise<Router> {
  let router: Router | undefined
  await until(async () => {
    router = await apiClient.call(routersApi, 'GET /api/virtual_machines/{id}', { params: { id } })
    return !MOVING.has(router.state)
  })
  return router!
}

async function until(done: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_MS
  while (!(await done())) {
    if (performance.now() > deadline)
      throw new CommandError('Not done after ten minutes. It continues in the background.')
    await sleep(POLL_EVERY_MS)
  }
}

export const ROUTER_COMMANDS = [
  list,
  show,
  create,
  power({ word: 'start', gentle: 'start', summary: 'Start a router.' }),
  power({ word: 'stop', gentle: 'shutdown', hard: 'stop', summary: 'Shut a router down.' }),
  power({ word: 'reboot', gentle: 'reboot', hard: 'reset', summary: 'Reboot a router.' }),
  remove,
  restore,
  catalogue,
]
