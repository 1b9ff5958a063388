import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ensureNetwork,
  LAB,
  labSkipReason,
  openbgpdSkipReason,
  type LabNetwork,
} from '../../../../lab/network/index.ts'
import { createBirdEdge } from '../bird/index.ts'
import { BirdControl, expectSuccess } from '../bird/control.ts'
import {
  ALL_CAPABILITIES,
  type EdgeCustomer,
  type EdgeDesiredState,
  type EdgeDriver,
  type EdgeRoute,
} from '../index.ts'
import { bgpctl, reload } from '../openbgpd/control.ts'
import { createOpenbgpdEdge } from '../openbgpd/index.ts'
import { OPENBGPD_CAPABILITIES } from '../openbgpd/render.ts'
import { startSpeaker, type Speaker, type SpeakerOptions } from './speaker.ts'

/** Why live scenarios cannot run here; null when they can. */
export const skipReason = await labSkipReason()
export const because = skipReason === null ? '' : ` (skipped: ${skipReason})`

/** The products that a scenario's edge can use, and why such scenarios cannot run here. */
export const PRODUCTS = [
  { product: 'bird', skipped: skipReason, can: ALL_CAPABILITIES, notHere: because },
  ...(await openbgpdProduct()),
] as const
export type Product = 'bird' | 'openbgpd'

async function openbgpdProduct() {
  const skipped = skipReason ?? (await openbgpdSkipReason())
  const notHere = skipped === null ? '' : ` (skipped: ${skipped})`
  return [{ product: 'openbgpd', skipped, can: OPENBGPD_CAPABILITIES, notHere }] as const
}

/**
 * A small Internet that exists for one test file: an upstream and customers, each a real BIRD, and the edge of a
 * product.
 */
export interface Scenario {
  readonly product: Product
  readonly network: LabNetwork
  readonly directory: string
  readonly edge: EdgeDriver
  /** Opens a driver as a restarted portal would. */
  reopen(confirmWithinSeconds?: number): EdgeDriver
  speaker(options: SpeakerOptions): Promise<Speaker>
  /** Returns the upstream's routes from us: prefix to the attributes, as BIRD prints them. */
  atUpstream(): Promise<Map<string, string>>
  askEdge(command: string): Promise<string>
  askUpstream(command: string): Promise<string>
  /** Replaces the edge's RPKI data. */
  setRoas(roas: readonly { prefix: string; maxLength: number; asn: number }[]): Promise<void>
  /** Reloads the operator's own configuration, as the operator would. */
  reloadEdge(): Promise<void>
  /** Asks every neighbor to use another path (RFC 8326), or stops asking. */
  setMaintenance(on: boolean): Promise<void>
  /** Makes the operator's own file invalid for the daemon, or valid again. */
  breakConf(broken: boolean): Promise<void>
  stop(): Promise<void>
}

export async function startScenario(product: Product = 'bird'): Promise<Scenario> {
  const directory = await mkdtemp(join(tmpdir(), 'lh-scenario-'))
  const network = await ensureNetwork({ instance: randomBytes(3).toString('hex'), directory, product })
  const speakers: Speaker[] = []
  const { edge } = network
  const reopen = (confirmWithinSeconds?: number): EdgeDriver => {
    const options = {
      ...edge,
      localAsn: LAB.operatorAsn,
      namespace: network.names.edgeNamespace,
      ...(confirmWithinSeconds !== undefined && { confirmWithinSeconds }),
    }
    return product === 'bird'
      ? createBirdEdge({ ...options, log: join(edge.directory, 'bird.log') })
      : createOpenbgpdEdge({ ...options, config: join(edge.directory, 'bgpd.conf') })
  }
  const conf = join(edge.directory, product === 'bird' ? 'bird.conf' : 'bgpd.conf')
  const reloadEdge = async (): Promise<void> => {
    if (product === 'bird') await ask(edge.socket, 'configure')
    else await reload(bgpctl(edge.socket), 10_000)
  }
  const askEdge = (command: string): Promise<string> => ask(network.edge.socket, command)
  return {
    product,
    network,
    directory,
    edge: reopen(),
    reopen,
    askEdge,
    askUpstream: (command) => ask(network.upstream.socket, command),
    speaker: async (options) => {
      const speaker = await startSpeaker(network, directory, options)
      speakers.push(speaker)
      return speaker
    },
    atUpstream: async () => {
      const text = await Promise.all(
        [4, 6].map((v) => ask(network.upstream.socket, `show route protocol edge_v${v} all`)),
      )
      const blocks = text.join('\n').split(/\n(?=[0-9a-f.:]+\/\d+ )/)
      return new Map(blocks.slice(1).map((block) => [block.split(' ')[0]!, block]))
    },
    reloadEdge,
    setMaintenance: async (on) => {
      if (product === 'bird')
        await writeFile(conf, (await readFile(conf, 'utf8')).replace(/(LH_MAINTENANCE = )\w+/, `$1${on}`))
      else {
        const asks = on ? 'match to ebgp set community GRACEFUL_SHUTDOWN\n' : ''
        await writeFile(join(edge.directory, 'local', 'last.conf'), asks)
      }
      await reloadEdge()
    },
    setRoas: async (roas) => {
      if (product === 'openbgpd') {
        const lines = roas.map(({ prefix, maxLength, asn }) => `  ${prefix} maxlen ${maxLength} source-as ${asn}\n`)
        const set = lines.length === 0 ? '' : `roa-set {\n${lines.join('')}}\n`
        await writeFile(join(edge.directory, 'local', 'local.conf'), set)
        return reloadEdge()
      }
      const lines = ([4, 6] as const).map((family) => {
        const routes = roas
          .filter((roa) => roa.prefix.includes(':') === (family === 6))
          .map((roa) => `  route ${roa.prefix} max ${roa.maxLength} as ${roa.asn};`)
        return `protocol static roas${family} {\n  roa${family} { table rpki${family}; };\n${routes.join('\n')}\n}\n`
      })
      await writeFile(join(network.edge.directory, 'local', 'roas.conf'), lines.join(''))
      await askEdge('configure')
    },
    breakConf: async (broken) => {
      const text = (await readFile(conf, 'utf8')).replace(/^broken\n/, '')
      await writeFile(conf, broken ? `broken\n${text}` : text)
    },
    stop: async () => {
      for (const speaker of speakers) await speaker.stop()
      await network.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function ask(socket: string, command: string): Promise<string> {
  using control = await BirdControl.connect(socket, { restricted: false })
  const reply = expectSuccess(await control.command(command))
  return `\n${reply.lines.map((line) => line.text).join('\n')}`
}

export const stateOf = (...customers: readonly EdgeCustomer[]): EdgeDesiredState => ({
  localAsn: LAB.operatorAsn,
  routerId: LAB.routerId,
  customers,
})

export const customerOf = (
  speaker: Speaker,
  given: Partial<EdgeCustomer> & Pick<EdgeCustomer, 'id' | 'asn'>,
): EdgeCustomer => ({
  enabled: true,
  neighbors: speaker.neighbors,
  accept: [],
  statics: [],
  exports: 'default',
  ...given,
})

/** Polls until the check passes; the last failure is the test's. */
export async function eventually<T>(check: () => Promise<T>, deadlineMs = 12_000): Promise<T> {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(50)
    }
  }
}

export async function untilEstablished(edge: EdgeDriver, count: number, deadlineMs = 20_000): Promise<void> {
  await eventually(async () => {
    const sessions = await edge.sessions()
    const up = sessions.filter((session) => session.state === 'ESTABLISHED').length
    if (up !== count) throw new Error(`${up} of ${count} sessions are up: ${JSON.stringify(sessions)}`)
  }, deadlineMs)
}

/** `accepted`, or the number of the rejection. */
export const outcomes = (routes: readonly EdgeRoute[]): Record<string, 'accepted' | number | null> =>
  Object.fromEntries(routes.map((route) => [route.prefix, route.accepted ? 'accepted' : route.rejection]))
