/**
 * Creates the operator of the demonstration: two sites, staff, customers with routers, prefixes and a history, and a
 * new customer. It is written in one transaction into an empty database, so that an interrupted start begins again. The
 * results of the checks, the hypervisor and the edge are not written here: they are observed.
 */
import type { SecretKey } from '../platform/secret-key.ts'
import { randomInt } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { LAB } from '../../lab/network/addresses.ts'
import { SECOND_SITE } from '../../lab/second-site.ts'
import { seedAccounts } from '../accounts/index.ts'
import { seedBilling, resolveCurrency } from '../billing/index.ts'
import type { Drivers } from './choose-drivers.ts'
import { IMAGE, seedDemoHistory, startOfDemonstration } from './demo-history.ts'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import { SIMULATED_BPS } from '../drivers/hypervisor/simulated/machine.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Config } from '../platform/config.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import type { Log } from '../platform/log.ts'
import { discardQueuedMail } from '../platform/mail.ts'
import { seedRouters, seedSite } from '../routers/index.ts'
import { seedTransit } from '../transit/index.ts'
import type { DrivenHypervisor } from './hypervisor-agents.ts'

export interface DemonstrationOptions {
  readonly config: Config
  readonly db: Db
  readonly drivers: Drivers
  /** The hypervisor of the second site; without it there is one site. */
  readonly demoHost?: DrivenHypervisor | null
  readonly operatorAsn: number
  readonly secretKey: SecretKey
  readonly publicUrl: () => string
  readonly clock: Clock
  readonly log: Log
}

/** Does nothing unless the demonstration is wanted and the database is empty. */
export async function seedDemonstration(options: DemonstrationOptions): Promise<void> {
  const { config, db, drivers, demoHost = null, clock, log, publicUrl, secretKey, operatorAsn } = options
  if (!(config.DEMO ?? config.loopback)) return
  // A separate process drives the hypervisor, and writes its row.
  if (drivers.hypervisor === null || config.hypervisorSlug === null) return
  if (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) return
  const { driver } = drivers.hypervisor
  const slug = config.hypervisorSlug
  for (const one of [driver, ...(demoHost ? [demoHost.driver] : [])]) await stopOrphaned(options, one)
  const password = await demoPassword(config)
  const facts = await driver.facts().catch(() => null)

  await inTransaction(db, async (transaction) => {
    const accounts = { db: transaction, clock, config, publicUrl, secretKey }
    const { staffId, customerId } = await seedAccounts(accounts, password, startOfDemonstration(clock.now()))
    // A host that does not answer yet reports its own size once it does.
    const host = {
      driver: driver.kind,
      cpus: facts?.cpus ?? 4,
      memory: facts?.memory ?? 8192,
      disk: facts?.disk ?? 100,
    }
    const [first, second] = demoHost ? shareMachine(host) : [host, null]
    await seedRouters(transaction, {
      slug,
      ...first,
      image: IMAGE,
      currency: await resolveCurrency(transaction, config.CURRENCY),
      pool: {
        prefix4: '203.0.113.0/24',
        gateway4: LAB.segment[4].gateway,
        prefix6: '2001:db8:100::/64',
        gateway6: LAB.segment[6].gateway,
      },
    })
    if (second) {
      await seedSite(transaction, {
        site: { slug: SECOND_SITE.slug, name: SECOND_SITE.name },
        hypervisor: { slug: SECOND_SITE.hypervisor, ...second },
        pool: {
          prefix4: '198.51.100.0/24',
          gateway4: LAB.secondSegment[4].gateway,
          prefix6: '2001:db8:101::/64',
          gateway6: LAB.secondSegment[6].gateway,
        },
      })
    }
    await seedBilling(transaction, { company: config.OPERATOR_NAME ?? 'Longhaul Networks', now: clock.now() })
    const transit = {
      clock,
      config,
      publicUrl,
      secretKey,
      operator: { asn: operatorAsn, routerId: config.EDGE_ROUTER_ID },
      irrSources: config.IRR_SOURCES.split(','),
    }
    if (drivers.payments.kind === 'test') {
      await seedDemoHistory({
        ...accounts,
        payments: drivers.payments,
        transit,
        staffId,
        customerId,
        leased: [slug, ...(second ? [SECOND_SITE.hypervisor] : [])],
        startsApart: driver.kind === 'libvirt',
        idleBps: driver.kind === 'simulated' ? SIMULATED_BPS : 0,
      })
    } else {
      await seedTransit(transit, transaction, { staffId, customerId, routerId: null, since: clock.now() })
    }
    await discardQueuedMail(transaction)
  })
  log.info('wrote the demonstration: staff@example.net, customer@example.net, newcomer@example.net')
}

interface HostSize {
  readonly driver: 'libvirt' | 'simulated'
  readonly cpus: number
  /** MiB */
  readonly memory: number
  /** GiB */
  readonly disk: number
}

/** Memory for the second site in MiB: enough for four small routers. */
const SECOND_MEMORY = 1_280

/**
 * Both sites are on one machine. Its CPUs are shared; its memory and disk are divided. Each simulated host has its own.
 */
function shareMachine(machine: HostSize): [HostSize, HostSize & { readonly memoryReserve?: number }] {
  if (machine.driver === 'simulated') return [machine, machine]
  const memory = Math.min(SECOND_MEMORY, Math.floor(machine.memory / 4))
  const disk = Math.floor(machine.disk / 4)
  return [
    { ...machine, memory: machine.memory - memory, disk: machine.disk - disk },
    // The first keeps the memory that the machine needs for itself.
    { ...machine, memory, disk, memoryReserve: 0 },
  ]
}

/**
 * Deleting DATA_DIR leaves its machines on the hypervisor, with the addresses that the new ones get. They are stopped
 * here, so that none answers in place of a new one. They are not removed: the sweep of orphaned resources does that,
 * which leaves time to notice that DATA_DIR was only not mounted.
 */
async function stopOrphaned({ config, log }: DemonstrationOptions, driver: Hypervisor): Promise<void> {
  // An empty remote database says nothing about this host.
  if (config.DATABASE_URL) return
  try {
    for (const { uuid } of await driver.list()) {
      log.warn({ uuid }, 'stopping a machine of an installation that is gone')
      await driver.stop(uuid, { mode: 'force' })
    }
  } catch (error) {
    log.warn({ err: error }, 'could not look for machines of an installation that is gone')
  }
}

/**
 * Returns the configured password. Otherwise generates one, prints it once and keeps it in a file that only we can
 * read.
 */
async function demoPassword(config: Config): Promise<string> {
  if (config.DEMO_PASSWORD) return config.DEMO_PASSWORD
  const file = path.join(config.DATA_DIR, 'demo-password')
  try {
    const handle = await open(file, 'wx', 0o600)
    const password = Array.from({ length: 4 }, () => syllables()).join('-')
    await handle.writeFile(`${password}\n`)
    await handle.close()
    process.stderr.write(
      `Demonstration accounts: staff@example.net, customer@example.net, newcomer@example.net\nTheir password: ${password}   (also in ${file})\n${!config.isPublic && !config.SMTP_URL ? 'Mails to them and others are not sent: see /dev/mails.\n' : ''}`,
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}

/** Three of 20 × 5 letter pairs: four such groups have some 80 bits, and a person can type them. */
function syllables(): string {
  const pick = (chars: string): string => chars[randomInt(chars.length)]!
  return Array.from({ length: 3 }, () => pick('bcdfghjklmnpqrstvwxz') + pick('aeiou')).join('')
}
