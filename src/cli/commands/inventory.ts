/** Commands for sites, hypervisors, pools, images and plans. */
import { addPlanPrices, resolveCurrency } from '../../billing/index.ts'
import { systemClock } from '../../kernel/clock.ts'
import { slug } from '../../kernel/slug.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import {
  addImage,
  addPlan,
  addPool,
  addSite,
  reassignHypervisor,
  drainHypervisor,
  listLeased,
  listHypervisors,
  removeHypervisor,
  planDrain,
  retirePlan,
  setHypervisor,
} from '../../routers/index.ts'
import { choice, defineCommand, optional, CommandError, text, wholeNumber, type Terminal } from '../command.ts'
import { settingsOf, withTables } from '../store.ts'

const change = <T>(terminal: Terminal, work: (db: Db) => Promise<T>): Promise<T> =>
  withTables(settingsOf(terminal), terminal, (database) => inTransaction(database, work))

const shortName = (takes: string) => ({ takes, schema: slug })
const NEW_SLUG = shortName('a short name in lowercase letters, digits and hyphens; it cannot be changed')

const addSiteCommand = defineCommand({
  name: 'site add',
  summary: 'Add a site.',
  args: { site: NEW_SLUG },
  options: { name: text('the name that customers see, for example "Amsterdam 1"') },
  async run({ site, name }, terminal) {
    await change(terminal, (db) => addSite(db, SYSTEM, { slug: site, name }))
    terminal.say(`Added the site ${site}.`)
  },
})

const setHypervisorCommand = defineCommand({
  name: 'hypervisor set',
  summary: 'Add a hypervisor, or change its capacity.',
  notes:
    'An agent on its host serves it (longhaul help agent token); on the portal’s own host the worker manages ams1-hv1.\nA new one needs its site and its size. By default, 1024 MiB or 5 percent of its memory,\nwhichever is larger, is reserved for the host. Each router also needs memory for QEMU.',
  args: { hypervisor: NEW_SLUG },
  options: {
    name: optional(text('the name that staff see')),
    site: optional(shortName('the site that it is in')),
    cpus: optional(wholeNumber('CPUs of the host')),
    overcommit: optional(wholeNumber('vCPUs per CPU, default 4')),
    memory: optional(wholeNumber('memory of the host, MiB')),
    reserve: optional(wholeNumber('memory reserved for the host, MiB', 0)),
    disk: optional(wholeNumber('disk for routers, GiB')),
    drained: optional(choice('on', 'off')),
  },
  async run({ hypervisor, overcommit, reserve, drained, ...settings }, terminal) {
    await change(terminal, async (db) => {
      const id = await setHypervisor(db, SYSTEM, {
        ...settings,
        slug: hypervisor,
        cpuOvercommit: overcommit,
        memoryReserve: reserve,
      })
      if (drained) await drainHypervisor(db, SYSTEM, id, { drained: drained === 'on' }, systemClock.now())
    })
    terminal.say(`${hypervisor} is set.`)
  },
})

const listHypervisorsCommand = defineCommand({
  name: 'hypervisor list',
  summary: 'List the hypervisors with their worker, state and routers.',
  args: {},
  options: {},
  async run(_, terminal) {
    const hosts = await withTables(settingsOf(terminal), terminal, (db) => listHypervisors(db))
    if (hosts.length === 0) terminal.say('There is no hypervisor yet: longhaul help hypervisor set')
    for (const {
      slug: name,
      site,
      leased,
      process,
      waiting,
      connected,
      fault,
      portRulesError,
      drained,
      routers,
    } of hosts) {
      const state = [connected ? 'connected' : 'unreachable', ...(drained ? ['drained'] : [])].join(', ')
      terminal.say(`${name}  ${site.name}  ${state}  ${routers} routers`)
      if (leased && process) terminal.say(`  worker ${process.name} since ${process.since}`)
      else terminal.say(`  no agent: start longhaul-agent on its host`)
      if (!leased && process) terminal.say(`  last seen: ${process.name}, ${process.seenAt}`)
      if (leased && fault) terminal.say(`  ${fault}`)
      if (leased && portRulesError) terminal.say(`  ${portRulesError}`)
      if (waiting) terminal.say(`  ${waiting}`)
    }
  },
})

const reassignCommand = defineCommand({
  name: 'hypervisor reassign',
  summary: 'Accept a reinstalled host as a hypervisor that has routers.',
  notes:
    'All its routers are recreated with empty disks by the next agent, whatever its DATA_DIR. Wait if the old host\nmay come back: nothing is lost by waiting.',
  args: { hypervisor: shortName('its name') },
  options: {},
  async run({ hypervisor }, terminal) {
    await change(terminal, (db) => reassignHypervisor(db, SYSTEM, hypervisor))
    terminal.say(`The next agent of ${hypervisor} is accepted, whatever its DATA_DIR.`)
  },
})

const drainCommand = defineCommand({
  name: 'hypervisor drain',
  summary: 'Place no new routers on a hypervisor, and list those that are left. They keep running.',
  notes: 'To undo: longhaul hypervisor set NAME --drained off',
  args: { hypervisor: shortName('its name') },
  options: { reason: optional(text('the reason, shown to other staff')) },
  async run({ hypervisor, reason }, terminal) {
    const { routers, began } = await change(terminal, async (db) => {
      const id = await hypervisorId(db, hypervisor)
      await drainHypervisor(db, SYSTEM, id, { drained: true, reason }, systemClock.now())
      return planDrain(db, await listLeased(db, []), id)
    })
    terminal.say(
      `${hypervisor} is drained; ${routers.length} routers are on it${began === null ? '' : ` of ${began}`}.`,
    )
    for (const { id, name, state, user, blocker } of routers) {
      terminal.say(`  ${id}  ${name}  ${state}  ${user.email}  ${blocker}`)
    }
  },
})

const removeHypervisorCommand = defineCommand({
  name: 'hypervisor remove',
  summary: 'Remove a drained hypervisor that has no routers.',
  args: { hypervisor: shortName('its name') },
  options: {},
  async run({ hypervisor }, terminal) {
    await change(terminal, async (db) => removeHypervisor(db, SYSTEM, await hypervisorId(db, hypervisor)))
    terminal.say(`Removed the hypervisor ${hypervisor}.`)
  },
})

async function hypervisorId(db: Db, name: string): Promise<number> {
  const found = await db.selectFrom('hypervisors').select('id').where('slug', '=', name).executeTakeFirst()
  if (!found) throw new CommandError(`There is no hypervisor "${name}".`)
  return found.id
}

const addPoolCommand = defineCommand({
  name: 'pool add',
  summary: 'Add an address pool: the segment that the routers of a site attach to.',
  notes: 'A router gets the same host number in both prefixes. The gateways are the edge’s addresses on the segment.',
  args: {},
  options: {
    site: shortName('the site'),
    prefix4: text('an IPv4 prefix, /8 to /30'),
    gateway4: text('an address in it'),
    prefix6: text('an IPv6 prefix, /32 to /96'),
    gateway6: text('an address in it'),
  },
  async run({ site, ...pool }, terminal) {
    await change(terminal, (db) => addPool(db, SYSTEM, site, pool))
    terminal.say(`Added ${pool.prefix4} and ${pool.prefix6} to ${site}.`)
  },
})

const addImageCommand = defineCommand({
  name: 'image add',
  summary: 'Publish a router image from IMAGE_DIR.',
  args: { image: NEW_SLUG },
  options: {
    name: text('the name that customers see'),
    description: text('a one-sentence description'),
    source: optional(text('its name in IMAGE_DIR, default: IMAGE')),
  },
  async run({ image, name, description, source = image }, terminal) {
    await change(terminal, (db) => addImage(db, SYSTEM, { slug: image, name, description, source }))
    terminal.say(`Added the image ${image}.`)
  },
})

const addPlanCommand = defineCommand({
  name: 'plan add',
  summary: 'Add a router plan with its price.',
  notes:
    'Prices are in cents (minor units of the operator’s currency), before tax. Change prices under Admin, Billing.',
  args: { plan: NEW_SLUG },
  options: {
    name: text('the name that customers see'),
    cpus: wholeNumber('CPUs, 1 to 64'),
    memory: wholeNumber('MiB, 64 or more', 64),
    disk: wholeNumber('GiB'),
    hourly: wholeNumber('cents per hour', 0),
    monthly: wholeNumber('monthly cap, in cents', 0),
    setup: optional(wholeNumber('one-off setup fee per router, in cents', 0)),
  },
  async run({ plan, name, cpus, memory, disk, hourly, monthly, setup }, terminal) {
    await change(terminal, async (db) => {
      const currency = await resolveCurrency(db, settingsOf(terminal).CURRENCY)
      const price = { hourlyPrice: hourly, monthlyPrice: monthly, setupPrice: setup ?? 0 }
      await addPlan(db, SYSTEM, { slug: plan, name, cpus, memory, diskSize: disk, currency, ...price })
      await addPlanPrices(db, SYSTEM, { slug: plan, ...price }, systemClock.now())
    })
    terminal.say(`Added the plan ${plan}.`)
  },
})

const retirePlanCommand = defineCommand({
  name: 'plan retire',
  summary: 'Retire a plan; routers on it keep it.',
  args: { plan: shortName('its name') },
  options: {},
  async run({ plan }, terminal) {
    await change(terminal, (db) => retirePlan(db, SYSTEM, plan, systemClock.now()))
    terminal.say(`${plan} is retired.`)
  },
})

export const INVENTORY_COMMANDS = [
  addSiteCommand,
  setHypervisorCommand,
  listHypervisorsCommand,
  reassignCommand,
  drainCommand,
  removeHypervisorCommand,
  addPoolCommand,
  addImageCommand,
  addPlanCommand,
  retirePlanCommand,
]
