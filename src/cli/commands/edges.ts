/** The edges, and which sites each serves. */
import { z } from 'zod'
import { prepareBirdDirectory } from '../../drivers/edge/bird/prepare.ts'
import { prepareOpenbgpdDirectory } from '../../drivers/edge/openbgpd/prepare.ts'
import { EdgeError } from '../../drivers/edge/index.ts'
import { systemClock } from '../../kernel/clock.ts'
import { slug } from '../../kernel/slug.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { addEdge, changeEdge, removeEdge, setMaintenance, viewEdges } from '../../transit/index.ts'
import { defineCommand, flag, optional, CommandError, text, type Terminal } from '../command.ts'
import { settingsOf, withTables } from '../store.ts'

const change = <T>(terminal: Terminal, work: (db: Db) => Promise<T>): Promise<T> =>
  withTables(settingsOf(terminal), terminal, (database) => inTransaction(database, work))

const shortName = (takes: string) => ({ takes, schema: slug })
const ITS_NAME = { edge: shortName('its short name') }
const routerId = optional({
  takes: 'its BGP identifier, EDGE_ROUTER_ID of its agent',
  schema: z.ipv4('takes an IPv4 address'),
})
const sites = optional(text('short names of sites, separated by commas: those whose gateways are on it'))

const listCommand = defineCommand({
  name: 'edge list',
  summary: 'List the edges with their sites, worker and errors.',
  args: {},
  options: {},
  async run(_, terminal) {
    const { OPERATOR_ASN, EDGE_ROUTER_ID } = settingsOf(terminal)
    const operator = { asn: OPERATOR_ASN ?? 0, routerId: EDGE_ROUTER_ID }
    const { edges, unserved } = await withTables(settingsOf(terminal), terminal, (db) => viewEdges({ operator }, db))
    for (const {
      slug: name,
      sites: served,
      process,
      waiting,
      current,
      error,
      maintenance,
      sessions,
      neighborsError,
      upstreams,
    } of edges) {
      const state = [
        error || neighborsError || upstreams?.error ? 'trouble' : current ? 'current' : 'on its way',
        ...(maintenance ? ['maintenance'] : []),
      ]
      const at = served.map((site) => site.name).join(', ') || 'no site'
      terminal.say(`${name}  ${at}  ${state.join(', ')}  ${sessions.established} of ${sessions.all} sessions`)
      if (process?.alive) terminal.say(`  worker ${process.name} since ${process.since}`)
      else terminal.say(`  no agent: start longhaul-agent on its machine`)
      if (process && !process.alive) terminal.say(`  last seen: ${process.name}, ${process.seenAt}`)
      if (process?.alive && error) terminal.say(`  ${error}`)
      if (process?.alive && neighborsError) terminal.say(`  ${neighborsError}`)
      if (process?.alive && upstreams?.error) terminal.say(`  ${upstreams.error}`)
      if (waiting) terminal.say(`  ${waiting}`)
    }
    for (const site of unserved) terminal.say(`No edge serves ${site.name}: its routers have no transit.`)
  },
})

const prepareCommand = defineCommand({
  name: 'edge prepare',
  summary: 'Fill the directory that bird.conf or bgpd.conf includes, so that the daemon can start before the portal.',
  notes:
    'Run it as the user of the portal, before each start of the daemon. Existing files are kept; an unconfirmed change\nis reverted.',
  args: {},
  options: {
    directory: optional(text('the directory, default: EDGE_DIRECTORY')),
    'router-id': optional(text('the BGP identifier of the router, default: EDGE_ROUTER_ID')),
  },
  async run({ directory, 'router-id': routerId }, terminal) {
    const { EDGE, OPERATOR_ASN, EDGE_DIRECTORY, EDGE_ROUTER_ID } = settingsOf(terminal)
    const at = directory ?? EDGE_DIRECTORY
    if (!at) throw new CommandError('Name the --directory, or set EDGE_DIRECTORY.')
    if (!OPERATOR_ASN) throw new CommandError('Set OPERATOR_ASN first.')
    try {
      const prepare = EDGE === 'openbgpd' ? prepareOpenbgpdDirectory : prepareBirdDirectory
      await prepare(at, { localAsn: OPERATOR_ASN, routerId: routerId ?? EDGE_ROUTER_ID })
    } catch (error) {
      throw error instanceof EdgeError ? new CommandError(error.message) : error
    }
    terminal.say(`${at} is ready for ${EDGE === 'openbgpd' ? 'OpenBGPD' : 'BIRD'}.`)
  },
})

const addCommand = defineCommand({
  name: 'edge add',
  summary: 'Add an edge router that has an agent.',
  notes:
    'It needs an agent (longhaul help agent token). Sites that you name move to it from their current edge,\nwith their customers.',
  args: { edge: shortName('a short name in lowercase letters, digits and hyphens; it cannot be changed') },
  options: { name: text('the name that customers see, for example "Frankfurt 1"'), sites, 'router-id': routerId },
  async run({ edge, name, sites: served, 'router-id': bgpIdentifier }, terminal) {
    await change(terminal, async (db) =>
      addEdge(db, SYSTEM, {
        slug: edge,
        name,
        bgpIdentifier,
        ...(served !== undefined && { sites: await siteIds(db, served) }),
      }),
    )
    terminal.say(`Added the edge ${edge}.`)
  },
})

const setCommand = defineCommand({
  name: 'edge set',
  summary: 'Rename an edge, or change its sites or its BGP identifier.',
  args: ITS_NAME,
  options: { name: optional(text('the name that customers see')), sites, 'router-id': routerId },
  async run({ edge, name, sites: served, 'router-id': bgpIdentifier }, terminal) {
    await change(terminal, async (db) =>
      changeEdge(db, SYSTEM, await edgeId(db, edge), {
        name,
        bgpIdentifier,
        sites: served === undefined ? undefined : await siteIds(db, served),
      }),
    )
    terminal.say(`${edge} is set.`)
  },
})

const maintenanceCommand = defineCommand({
  name: 'edge maintenance',
  summary: 'Begin or end maintenance of an edge: its routes become a last resort (RFC 8326).',
  args: ITS_NAME,
  options: { reason: optional(text('the reason, shown to other staff')), end: flag('end the maintenance') },
  async run({ edge, reason, end }, terminal) {
    if ((reason === undefined) === (end === undefined)) throw new CommandError('Give --reason to begin, or --end.')
    await change(terminal, async (db) =>
      setMaintenance(db, SYSTEM, await edgeId(db, edge), { reason: reason ?? null, now: systemClock.now() }),
    )
    terminal.say(end ? `Maintenance of ${edge} has ended.` : `${edge} is in maintenance.`)
  },
})

const removeCommand = defineCommand({
  name: 'edge remove',
  summary: 'Remove an edge that has no sites and no connections.',
  args: ITS_NAME,
  options: {},
  async run({ edge }, terminal) {
    await change(terminal, async (db) => removeEdge(db, SYSTEM, await edgeId(db, edge)))
    terminal.say(`Removed the edge ${edge}.`)
  },
})

async function edgeId(db: Db, name: string): Promise<number> {
  const found = await db.selectFrom('transit_edges').select('id').where('slug', '=', name).executeTakeFirst()
  if (!found) throw new CommandError(`There is no edge "${name}".`)
  return found.id
}

async function siteIds(db: Db, names: string): Promise<number[]> {
  const wanted = names.split(',').map((name) => name.trim())
  const found = await db.selectFrom('sites').select(['id', 'slug']).where('slug', 'in', wanted).execute()
  const unknown = wanted.find((name) => found.every((site) => site.slug !== name))
  if (unknown !== undefined) throw new CommandError(`There is no site "${unknown}".`)
  return found.map((site) => site.id)
}

export const EDGE_COMMANDS = [prepareCommand, listCommand, addCommand, setCommand, maintenanceCommand, removeCommand]
