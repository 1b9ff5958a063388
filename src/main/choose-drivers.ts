/**
 * Chooses the product or its simulator for each external dependency, and says why. Only this file knows both;
 * everything else receives an interface.
 */
import path from 'node:path'
import { chooseEdge, chooseHypervisor, type Chosen } from '../agent/choose-drivers.ts'
import type { TxtResolver } from '../drivers/dns/index.ts'
import { createSimulatedDns } from '../drivers/dns/simulated/index.ts'
import { createStubResolver } from '../drivers/dns/stub/index.ts'
import type { EdgeDriver } from '../drivers/edge/index.ts'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import type { IrrSource } from '../drivers/irr/index.ts'
import { createIrrd } from '../drivers/irr/irrd/index.ts'
import { createFolderMailer } from '../drivers/mail/folder.ts'
import type { Mailer } from '../drivers/mail/index.ts'
import { createSmtpMailer } from '../drivers/mail/smtp.ts'
import type { PaymentProvider } from '../drivers/payments/index.ts'
import { createStripeProvider } from '../drivers/payments/stripe/provider.ts'
import { createTestProvider } from '../drivers/payments/test/provider.ts'
import type { PeeringDb, Registry, SpaceRegistry } from '../drivers/registry/index.ts'
import { createPeeringDbNetworks, type PeeringDbNetworks } from '../drivers/registry/peeringdb-networks.ts'
import { createPeeringDb } from '../drivers/registry/peeringdb.ts'
import { createRdap } from '../drivers/registry/rdap.ts'
import { createRegistryNames, type RegistryNames } from '../drivers/registry/registry-names.ts'
import type { RpkiSource } from '../drivers/rpki/index.ts'
import { createJsonSource } from '../drivers/rpki/json/index.ts'
import { noRpki } from '../drivers/rpki/none.ts'
import { createRtrSource } from '../drivers/rpki/rtr/index.ts'
import type { VatRegistry } from '../drivers/tax/index.ts'
import { createVies } from '../drivers/tax/vies/index.ts'
import { createHttpsSender } from '../drivers/webhook/https/index.ts'
import type { WebhookSender } from '../drivers/webhook/index.ts'
import { parsePrefix } from '../kernel/prefix.ts'
import type { Config } from '../platform/config.ts'

export interface Drivers {
  /** Null in a process that drives none: it never talks to one. */
  readonly hypervisor: Chosen<Hypervisor> | null
  /** Likewise. */
  readonly edge: Chosen<EdgeDriver> | null
  readonly rpki: RpkiSource
  readonly irr: IrrSource
  readonly registry: Registry & SpaceRegistry
  readonly dns: TxtResolver
  readonly networks: PeeringDbNetworks
  readonly registryNames: RegistryNames
  /** Null where no client is configured: the proof by PeeringDB is then not offered. */
  readonly peeringDb: PeeringDb | null
  readonly mailer: Mailer
  readonly payments: PaymentProvider
  readonly vat: VatRegistry
  readonly webhooks: WebhookSender
}

export async function chooseDrivers(
  config: Config,
  operatorAsn: number,
  { testPayments }: { readonly testPayments: boolean },
): Promise<Drivers> {
  const rpki = chooseRpki(config)
  return {
    hypervisor: config.hypervisorSlug === null ? null : await chooseHypervisor(config),
    edge: config.edgeSlug === null ? null : await chooseEdge(config, operatorAsn, { assumesBird: false, rpki }),
    rpki,
    irr: createIrrd({
      ...(config.IRR_SERVER ?? { host: 'whois.radb.net', port: 43 }),
      sources: config.IRR_SOURCES.split(','),
    }),
    dns: chooseDns(config),
    networks: createPeeringDbNetworks({ base: config.PEERINGDB_URL }),
    // One RDAP server for all numbers does not say which registry holds one. The server's own list does, where it has
    // one.
    registryNames: createRegistryNames(config.RDAP_URL ? { list: new URL('asn.json', config.RDAP_URL).href } : {}),
    registry: createRdap(config.RDAP_URL ? { base: config.RDAP_URL } : {}),
    peeringDb: choosePeeringDb(config),
    mailer: chooseMailer(config),
    payments: config.STRIPE_SECRET_KEY
      ? createStripeProvider({
          secretKey: config.STRIPE_SECRET_KEY,
          publishableKey: config.STRIPE_PUBLISHABLE_KEY ?? null,
          ...(config.STRIPE_WEBHOOK_SECRET && { webhookSecret: config.STRIPE_WEBHOOK_SECRET }),
        })
      : createTestProvider({ acceptsCards: testPayments }),
    // Called only when a customer enters a VAT id; while VIES is unreachable the id stays pending.
    vat: createVies(),
    webhooks: createHttpsSender({
      denied: config.WEBHOOK_DENY.map(parsePrefix),
      // In a demonstration that only this machine can reach, a user who names a loopback address is on this machine.
      loopback: config.DEMO !== false && !config.isPublic,
    }),
  }
}

function chooseRpki(config: Config): RpkiSource {
  const json = config.RPKI_JSON ? createJsonSource({ location: config.RPKI_JSON }) : null
  if (config.RTR_SERVER) {
    const rtr = createRtrSource(config.RTR_SERVER)
    return json ? withAspasOf(rtr, json) : rtr
  }
  if (json) return json
  return noRpki('no source of VRPs is named (RTR_SERVER, RPKI_JSON)')
}

/** VRPs arrive sooner over RTR; only the export has ASPA objects. */
const withAspasOf = (vrps: RpkiSource, aspas: RpkiSource): RpkiSource => ({
  ...vrps,
  aspa: (customerAsn) => aspas.aspa(customerAsn),
  onChange(listener) {
    const ends = [vrps, aspas].map((source) => source.onChange(listener))
    return () => ends.forEach((end) => end())
  },
  close: async () => void (await Promise.all([vrps.close(), aspas.close()])),
})

function chooseDns({ DNS_RESOLVER: resolver, DATA_DIR }: Config): TxtResolver {
  if (resolver === 'simulated') return createSimulatedDns({ file: path.join(DATA_DIR, 'simulated', 'dns.json') })
  return createStubResolver(resolver === 'system' ? {} : { servers: resolver })
}

function choosePeeringDb({ PEERINGDB_CLIENT_ID: clientId, PEERINGDB_CLIENT_SECRET: clientSecret }: Config) {
  return clientId && clientSecret ? createPeeringDb({ clientId, clientSecret }) : null
}

function chooseMailer(config: Config): Mailer {
  const from = config.MAIL_FROM ?? `${config.PRODUCT_NAME} <${config.SUPPORT_EMAIL}>`
  return config.SMTP_URL
    ? createSmtpMailer({ url: config.SMTP_URL, from })
    : createFolderMailer({ directory: path.join(config.DATA_DIR, 'mail'), from })
}
