/** Checks network sources: RPKI, the IRR, the registries, and the mail server. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { chooseDrivers, type Drivers } from '../../main/choose-drivers.ts'
import { parsePrefix } from '../../kernel/prefix.ts'
import { isLoopback, type Config } from '../../platform/config.ts'
import type { Probe } from './probe.ts'

/** Any prefix will do: the absence of an object is an answer too. */
const ANY_PREFIX = parsePrefix('198.51.100.0/24')
const POLL_EVERY_MS = 100

/** Opens the sources as the server does, without the hypervisor and the edge. */
export const openSources = (config: Config): Promise<Drivers> =>
  chooseDrivers({ ...config, COMPUTE: 'simulated', EDGE: 'simulated' }, config.OPERATOR_ASN ?? 0, {
    testPayments: false,
  })

export function sourceProbes(config: Config, { rpki, irr, registry }: Drivers): Probe[] {
  const rtr = config.RTR_SERVER
  const whois = config.IRR_SERVER ?? { host: 'whois.radb.net', port: 43, tls: false }
  const at = ({ tls, host, port }: typeof whois) => `${tls ? 'tls://' : ''}${host}:${port}`
  const asn = config.OPERATOR_ASN
  return [
    {
      name: 'RPKI',
      at: rtr ? at(rtr) : (config.RPKI_JSON ?? null),
      unset: 'RTR_SERVER, RPKI_JSON: no origin is judged',
      attempt: async (signal) => {
        for (;;) {
          const { state, count, error } = rpki.report()
          if (state === 'current') return `${count} VRPs`
          if (error) throw new Error(error)
          await sleep(POLL_EVERY_MS, undefined, { signal, ref: false })
        }
      },
    },
    {
      name: 'IRR',
      at: at(whois),
      attempt: async (signal) => {
        await irr.routeObjects(ANY_PREFIX, signal)
        return whois.tls || isLoopback(whois.host)
          ? 'answers'
          : 'answers, in clear: anyone on the path can forge route objects and AS-SETs'
      },
    },
    {
      name: 'RDAP',
      at: asn === undefined ? null : `${config.RDAP_URL ?? 'bootstrap of IANA'}, AS${asn}`,
      unset: 'OPERATOR_ASN: without it there is no number to try it with',
      attempt: async (signal) => {
        const record = await registry.autnum(asn!, signal)
        if (!record) throw new Error('the registry knows no such number')
        return record.holder ?? record.handle
      },
    },
  ]
}

/** Greets the server, encrypts and signs in as for a message, and sends none. */
export async function tryMailServer(url: string): Promise<string> {
  const transport = createTransport({ url, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 5_000 })
  try {
    await transport.verify()
    return 'lets us in'
  } finally {
    transport.close()
  }
}
