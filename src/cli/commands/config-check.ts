import { sql } from 'kysely'
import { readMigrations } from '../../platform/db/migrate.ts'
import { lacksMailServer } from '../../main/mail-server.ts'
import { lacksPaymentProvider } from '../../main/test-payments.ts'
import { systemClock } from '../../kernel/clock.ts'
import { explainSkew, isSkewed, measureSkew } from '../../platform/leases/index.ts'
import type { Config } from '../../platform/config.ts'
import { edgeProbes, hypervisorProbes } from '../check/hosts.ts'
import { tryProbe, type Probe } from '../check/probe.ts'
import { openSources, sourceProbes, tryMailServer } from '../check/sources.ts'
import { defineCommand, optional, wholeNumber, type Terminal } from '../command.ts'
import { appliedMigrations, settingsOf, withDatabase } from '../store.ts'

export const checkConfig = defineCommand({
  name: 'config check',
  summary: 'Check the settings, and that everything they name can be reached.',
  notes: 'Changes nothing. Exit code 1 if a setting is invalid or a configured service cannot be reached.',
  args: {},
  options: { deadline: optional(wholeNumber('seconds for each part, 10 unless set')) },
  async run({ deadline = 10 }, terminal) {
    const config = settingsOf(terminal)
    terminal.say('works  settings    all valid')
    const sources = await openSources(config)
    try {
      const probes = [
        databaseProbe(config, terminal),
        clockProbe(config, terminal),
        ...hypervisorProbes(config),
        ...edgeProbes(config),
        ...sourceProbes(config, sources),
        mailProbe(config, terminal),
        paymentProbe(config, terminal),
      ]
      const results = await Promise.all(probes.map((probe) => tryProbe(probe, deadline * 1_000)))
      for (const { line } of results) terminal.say(line)
      return results.some(({ state }) => state === 'fails') ? 1 : 0
    } finally {
      await Promise.allSettled(
        [sources.rpki, sources.irr, sources.registry, sources.mailer, sources.payments].map((source) => source.close()),
      )
    }
  },
})

const databaseProbe = (config: Config, terminal: Terminal): Probe => ({
  name: 'database',
  at: config.DATABASE_URL ? new URL(config.DATABASE_URL).host || 'local socket' : `embedded in ${config.DATA_DIR}`,
  attempt: () =>
    withDatabase(config, { ...terminal, warn: () => undefined }, async ({ db }) => {
      const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
      const applied = await appliedMigrations(db)
      const missing = [...(await readMigrations()).keys()].filter((name) => !applied.includes(name))
      const level =
        missing.length === 0 ? 'up to date' : `lacks ${missing.length} migrations, applied at the next start`
      return `PostgreSQL ${rows[0]?.version}, ${level}`
    }),
})

const clockProbe = (config: Config, terminal: Terminal): Probe => ({
  name: 'clock',
  at: "beside the database's",
  attempt: () =>
    withDatabase(config, { ...terminal, warn: () => undefined }, async ({ db }) => {
      const skew = await measureSkew(db, systemClock)
      if (isSkewed(skew)) throw new Error(`${explainSkew(skew)}: this process would hold no lease`)
      return `${Math.abs(skew / 1_000).toFixed(1)} s apart`
    }),
})

const mailProbe = (config: Config, terminal: Terminal): Probe => ({
  name: 'mail',
  // The host only: the URL may contain a password.
  at: config.SMTP_URL ? new URL(config.SMTP_URL).host : config.isPublic ? 'SMTP_URL is not set' : null,
  unset: 'SMTP_URL: messages are written to files, not sent',
  attempt: async () => {
    if (config.SMTP_URL) return tryMailServer(config.SMTP_URL)
    const lack = await withDatabase(config, { ...terminal, warn: () => undefined }, ({ db }) =>
      lacksMailServer(config, db),
    )
    if (lack !== null) throw new Error(lack)
    return 'the demonstration writes messages to files'
  },
})

const paymentProbe = (config: Config, terminal: Terminal): Probe => ({
  name: 'payments',
  at: config.STRIPE_SECRET_KEY ? 'Stripe' : config.isPublic ? 'STRIPE_SECRET_KEY is not set' : null,
  unset: 'STRIPE_SECRET_KEY: only test cards work; no money moves',
  attempt: async () => {
    const lack = await withDatabase(config, { ...terminal, warn: () => undefined }, ({ db }) =>
      lacksPaymentProvider(config, db),
    )
    if (lack !== null) throw new Error(lack)
    return config.STRIPE_SECRET_KEY ? 'a secret key is set; nothing is charged to try it' : 'test cards are accepted'
  },
})
