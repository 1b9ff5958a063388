/**
 * Local sources of routing data for the demonstration: an RPKI cache and its export, an IRR, an RDAP and a PeeringDB server.
 *
 *   node lab/sources/main.ts --data lab/data [--only rtr,irr,rdap,rpki,peeringdb] [--host 127.0.0.1]
 *        [--rtr-port 0] [--irr-port 0] [--rdap-port 0] [--rpki-port 0] [--peeringdb-port 0]
 *
 * Prints one line of JSON with the ports when all are open, and ends on SIGTERM or SIGINT.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startIrr } from './irr.ts'
import type { RunningSource } from './listen.ts'
import { startRdap } from './rdap.ts'
import { startRtr } from './rtr.ts'
import { startPeeringDb, startRpkiExport } from './web.ts'

const SOURCES = {
  rtr: { start: startRtr, file: 'vrps.json' },
  irr: { start: startIrr, file: 'irr.rpsl' },
  rdap: { start: startRdap, file: 'rdap.json' },
  rpki: { start: startRpkiExport, file: 'vrps.json' },
  peeringdb: { start: startPeeringDb, file: 'peeringdb.json' },
} as const
type SourceName = keyof typeof SOURCES

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    only: { type: 'string', default: Object.keys(SOURCES).join(',') },
    'rtr-port': { type: 'string', default: '0' },
    'irr-port': { type: 'string', default: '0' },
    'rdap-port': { type: 'string', default: '0' },
    'rpki-port': { type: 'string', default: '0' },
    'peeringdb-port': { type: 'string', default: '0' },
  },
})

const running: Partial<Record<SourceName, RunningSource>> = {}
for (const name of values.only.split(',')) {
  if (!isSource(name)) fail(`--only takes ${Object.keys(SOURCES).join(', ')}, got "${name}"`)
  const { start, file } = SOURCES[name]
  running[name] = await start({
    file: join(values.data ?? fail('--data takes the folder with the data, for example lab/data'), file),
    host: values.host,
    port: readPort(name, values[`${name}-port`]),
  })
}
const end = (): void =>
  void Promise.all(Object.values(running).map((source) => source.close())).then(() => process.exit(0))
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end)
// Our parent, which holds a channel to us, was killed.
process.once('disconnect', end)

// Last: the parent may end us as soon as it reads this.
process.stdout.write(
  `${JSON.stringify(Object.fromEntries(Object.entries(running).map(([name, { port }]) => [name, port])))}\n`,
)

function isSource(name: string): name is SourceName {
  return Object.hasOwn(SOURCES, name)
}

function readPort(name: SourceName, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  return port <= 65_535 ? port : fail(`--${name}-port takes a number from 0 to 65535, got "${text}"`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
