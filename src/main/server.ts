/**
 * The process: configuration, database, drivers, application, listening, and an orderly shutdown. It prints one line on
 * standard output when it is ready; everything else goes to the log on standard error.
 */
import type { AddressInfo } from 'node:net'
import { createApp, type App } from './app.ts'
import { chooseDrivers, type Drivers } from './choose-drivers.ts'
import { hasDemoHost, openDemoHost } from './demo-host.ts'
import { seedDemonstration } from './demonstration.ts'
import { systemClock } from '../kernel/clock.ts'
import { ConfigError, readConfig, type Config } from '../platform/config.ts'
import { ensureDataDir } from '../platform/data-dir.ts'
import { EmbeddedFailure, startEmbedded, type EmbeddedDatabase } from '../platform/db/embedded.ts'
import { migrate, MigrationFailure, openDatabase, type Database } from '../platform/db/index.ts'
import { createLog, type Log } from '../platform/log.ts'
import { recordQuery } from '../platform/trace.ts'
import { lacksMailServer } from './mail-server.ts'
import { acceptsTestPayments, lacksPaymentProvider } from './test-payments.ts'
import { readRelease } from '../platform/release.ts'
import { readSecretKey } from './installation-secrets.ts'

/** Closes resources in reverse order of opening. */
const opened: { name: string; close: () => Promise<void> }[] = []
/** The time for a worker to finish a slow step. The next start finds and does what was not done. */
const PATIENCE_MS = 20_000

async function main(): Promise<void> {
  const config = readConfig(process.env, readRelease())
  const log = createLog(config.LOG_LEVEL)
  await ensureDataDir(config.DATA_DIR)
  const { database, kind } = await openStore(config, log)
  const secretKey = await readSecretKey(config)
  const operatorAsn = config.OPERATOR_ASN ?? 0
  const { db } = database
  const lacks = [await lacksMailServer(config, db), await lacksPaymentProvider(config, db)].filter(
    (one) => one !== null,
  )
  if (lacks.length > 0) throw new ConfigError(lacks.join('\n'))
  const drivers = await chooseDrivers(config, operatorAsn, { testPayments: await acceptsTestPayments(config, db) })
  opened.push({ name: 'drivers', close: () => closeDrivers(drivers) })

  let address = config.PUBLIC_URL
  const app = await createApp({
    config,
    database,
    databaseKind: kind,
    drivers,
    operatorAsn,
    secretKey,
    clock: systemClock,
    log,
    publicUrl: () => address ?? `http://${config.HOST}:${config.PORT}`,
  })
  opened.push({ name: 'application', close: () => app.close() })
  const port = await listen(app, config)
  address ??= `http://${config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : bracket(config.HOST)}:${port}`
  const publicUrl = (): string => address!
  const demoHost = await openDemoHost(config, db, drivers)
  if (demoHost) opened.push({ name: 'second hypervisor', close: () => demoHost.driver.close() })
  await seedDemonstration({
    config,
    db,
    drivers,
    demoHost,
    operatorAsn,
    secretKey,
    publicUrl,
    log,
    clock: systemClock,
  })
  await app.startWork(demoHost && (await hasDemoHost(db)) ? [demoHost] : [])
  process.stdout.write(`ready http://${bracket(config.HOST)}:${port}\n`)
}

async function openStore(config: Config, log: Log): Promise<{ database: Database; kind: 'embedded' | 'postgres' }> {
  let embedded: EmbeddedDatabase | undefined
  if (!config.DATABASE_URL) {
    embedded = await startEmbedded({ dataDir: config.DATA_DIR, onProgress: (line) => log.info(line) })
    const server = embedded
    opened.push({ name: 'database server', close: () => server.stop() })
  }
  const url = embedded?.url ?? config.DATABASE_URL!
  const applied = await migrate(url).catch((error: unknown) => {
    throw embedded ? error : asSetting(error)
  })
  if (applied.length > 0) log.info({ applied }, 'brought the database up to date')
  const database = openDatabase({
    url,
    onQuery: recordQuery,
    onError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  opened.push({ name: 'database', close: () => database.close() })
  return { database, kind: embedded ? 'embedded' : 'postgres' }
}

/**
 * Errors that mean a wrong address, name or password, or an unavailable server (PostgreSQL, appendix A: classes 08, 28,
 * 3D).
 */
function asSetting(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: string }
  const refused = typeof code === 'string' && /^(E[A-Z]+|08\d{3}|28\d{3}|3D000)$/.test(code)
  return refused ? new ConfigError(`DATABASE_URL: the database does not let us in: ${message || code}`) : error
}

async function listen(app: App, config: Config): Promise<number> {
  try {
    await app.http.listen({ port: config.PORT, host: config.HOST })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new ConfigError(`PORT: ${config.PORT} is taken by another program; name a free one, or 0 for any`)
    if (code === 'EACCES')
      throw new ConfigError(`PORT: ${config.PORT} needs rights that this user does not have; take one above 1023`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigError(`HOST: got "${config.HOST}", takes an address of this machine`)
    throw error
  }
  return (app.http.server.address() as AddressInfo).port
}

async function closeDrivers(drivers: Drivers): Promise<void> {
  const all = [
    ...(drivers.hypervisor ? [drivers.hypervisor.driver] : []),
    ...(drivers.edge ? [drivers.edge.driver] : []),
    drivers.rpki,
    drivers.irr,
    drivers.registry,
    drivers.mailer,
    drivers.payments,
  ]
  await Promise.allSettled(all.map((driver) => driver.close()))
}

let ending: Promise<void> | undefined
function end(exitCode: number): Promise<void> {
  return (ending ??= (async () => {
    const impatient = setTimeout(() => process.exit(exitCode), PATIENCE_MS)
    impatient.unref()
    for (const { name, close } of opened.toReversed()) {
      await close().catch((error: unknown) => process.stderr.write(`while closing the ${name}: ${String(error)}\n`))
    }
    process.exit(exitCode)
  })())
}

const bracket = (host: string): string => (host.includes(':') ? `[${host}]` : host)

process.on('SIGINT', () => void end(0))
process.on('SIGTERM', () => void end(0))
// Only where our parent keeps a channel to us: if it was killed, nothing else would end this process.
process.on('disconnect', () => void end(0))
main().catch((error: unknown) => {
  const known = error instanceof ConfigError || error instanceof EmbeddedFailure || error instanceof MigrationFailure
  process.stderr.write(`${known ? (error as Error).message : error instanceof Error ? error.stack : String(error)}\n`)
  void end(1)
})
