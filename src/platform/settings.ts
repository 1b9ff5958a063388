/** Every setting: its schema, a description of what it accepts, and its default. `config.ts` reads them. */
import { z } from 'zod'
import { slug } from '../kernel/slug.ts'
import { tryParsePrefix } from '../kernel/prefix.ts'
import { parseReceiver } from '../drivers/syslog/index.ts'

const digits = z.string().regex(/^\d{1,10}$/)
const port = digits.transform(Number).pipe(z.int().max(65535))
export const hostAndPort = z
  .string()
  .regex(/^(\[[0-9a-f:]+\]|[a-z0-9.-]+):\d{1,5}$/i)
  .transform((text) => {
    const colon = text.lastIndexOf(':')
    return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) }
  })
/** A `tls://` prefix means that the connection is encrypted and the certificate has to name the host. */
const tlsOrPlain = z
  .string()
  .transform((text) => ({ text: text.replace(/^tls:\/\//i, ''), tls: /^tls:/i.test(text) }))
  .pipe(z.object({ text: hostAndPort, tls: z.boolean() }))
  .transform(({ text, tls }) => ({ ...text, tls }))
/** An IP address: a name would have to be resolved first. */
const resolverAddress = z
  .string()
  .regex(/^(\[[0-9a-f:]+\]|[0-9.]+)(:\d{1,5})?$/i)
  .transform((text) => {
    const [, address, after] = /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(text)!
    return { address: address!, port: after === undefined ? 53 : Number(after) }
  })
  .pipe(z.object({ address: z.union([z.ipv4(), z.ipv6()]), port: z.int().min(1).max(65535) }))
const resolverAddresses = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(resolverAddress).min(1).max(4))
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
/** At most 90 days. */
const duration = z
  .string()
  .regex(/^(0|\d{1,6}[mhd])$/)
  .transform((text) => Number.parseInt(text, 10) * (UNIT_MS[text.at(-1) as keyof typeof UNIT_MS] ?? 0))
  .pipe(z.int().max(90 * UNIT_MS.d))
const onOff = z.enum(['on', 'off', 'true', 'false', '1', '0']).transform((word) => ['on', 'true', '1'].includes(word))
const absoluteUrl = (protocols: readonly string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol))

/** The default short name of the first hypervisor. */
export const FIRST_HYPERVISOR = 'ams1-hv1'
export const NO_HYPERVISOR = 'none'
/** The default short name of the first edge; the baseline migration adds the edge. */
export const FIRST_EDGE = 'edge1'
export const NO_EDGE = 'none'

/**
 * Each variable with its schema and a description of what it accepts, which is both the error message and the manual.
 */
export const VARIABLES = {
  PORT: [port.default(8080), 'a port number, 0 for any free one'],
  HOST: [z.string().min(1).default('127.0.0.1'), 'an address to listen on'],
  DATA_DIR: [z.string().min(1).default('./data'), 'a folder'],
  DATABASE_URL: [
    absoluteUrl(['postgres:', 'postgresql:']).optional(),
    'a postgres:// address, of the server itself and not of a pooler',
  ],
  PUBLIC_URL: [absoluteUrl(['http:', 'https:']).optional(), 'an http:// or https:// address without a path'],
  PRODUCT_NAME: [z.string().trim().min(1).max(60).default('Longhaul'), 'a name of 1 to 60 characters'],
  OPERATOR_NAME: [z.string().trim().min(1).max(120).optional(), 'the name of the company that runs the portal'],
  OPERATOR_ASN: [
    digits.transform(Number).pipe(z.int().min(1).max(4_294_967_294)).optional(),
    'the ASN of the operator, a number',
  ],
  CURRENCY: [
    z.enum(Intl.supportedValuesOf('currency')).optional(),
    'a currency of ISO 4217 such as EUR; it is settled once something has a price',
  ],
  SUPPORT_EMAIL: [z.email().default('support@example.net'), 'an e-mail address'],
  SMTP_URL: [absoluteUrl(['smtp:', 'smtps:']).optional(), 'an smtp:// or smtps:// address'],
  MAIL_FROM: [z.string().min(3).max(200).optional(), 'the sender of mails, for example Longhaul <noreply@example.net>'],
  COMPUTE: [z.enum(['auto', 'libvirt', 'simulated']).default('auto'), 'auto, libvirt or simulated'],
  DELETE_GRACE: [
    duration.default(0),
    'for how long a deleted router can be restored, such as 72h or 7d, at most 90d; 0 for not at all',
  ],
  LIBVIRT_SOCKET: [z.string().default('/run/libvirt/libvirt-sock'), 'the path of the socket of libvirtd'],
  LIBVIRT_BRIDGE: [
    z
      .string()
      .regex(/^[a-z0-9-]{1,15}$/i)
      .optional(),
    'the name of the bridge that routers attach to',
  ],
  IMAGE_DIR: [z.string().optional(), 'the folder of router images'],
  EDGE: [z.enum(['auto', 'bird', 'openbgpd', 'simulated']).default('auto'), 'auto, bird, openbgpd or simulated'],
  EDGE_SOCKET: [z.string().optional(), 'the path of the control socket of BIRD or OpenBGPD on the edge'],
  EDGE_DIRECTORY: [z.string().optional(), 'the folder that the configuration of BIRD or OpenBGPD includes'],
  EDGE_CONFIG: [
    z.string().default('/etc/bgpd.conf'),
    'the path of the configuration of OpenBGPD, which each change is checked with',
  ],
  EDGE_LOG: [z.string().optional(), 'the file that BIRD on the edge logs to, with what it says of neighbours (remote)'],
  EDGE_NAMESPACE: [
    z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/)
      .optional(),
    'the network namespace that BIRD or OpenBGPD runs in, where it is another than that of this process',
  ],
  EDGE_ROUTER_ID: [z.ipv4().default('10.255.0.1'), 'an IPv4 address that names the edge in BGP and no other speaker'],
  EDGE_WITHOUT_VRPS: [
    z.enum(['closed', 'open']).default('closed'),
    'closed or open: whether an edge without RPKI data refuses the prefixes that have a ROA',
  ],
  EDGE_MAX_SHRINK: [
    digits.transform(Number).pipe(z.int().min(1).max(100)).default(20),
    'the percentage of prefixes, customers or accepted routes that a load of the edge may drop without a person, 100 to never ask',
  ],
  UPSTREAMS: [
    z
      .string()
      .regex(/^\s*[1-9]\d{0,9} [^,]{1,60}(,\s*[1-9]\d{0,9} [^,]{1,60})*$/)
      .optional(),
    'AS numbers and names of the upstreams of the edges, such as 64501 Example Transit, separated by commas',
  ],
  RTR_SERVER: [tlsOrPlain.optional(), 'host:port of an RPKI-to-Router cache, or tls://host:port'],
  RPKI_JSON: [z.string().optional(), 'a file or an https:// address with VRPs and ASPA objects as JSON'],
  IRR_SERVER: [tlsOrPlain.optional(), 'host:port of an IRRd server, or tls://host:port'],
  IRR_SOURCES: [
    z
      .string()
      .regex(/^[A-Z0-9-]+(,[A-Z0-9-]+)*$/)
      .default('RIPE,ARIN,APNIC,AFRINIC,LACNIC'),
    'names of IRR sources, in order of trust, separated by commas',
  ],
  IRR_SHARED_MAINTAINERS: [
    z
      .string()
      .regex(/^[A-Z0-9_-]+(,[A-Z0-9_-]+)*$/)
      .optional(),
    'names of maintainers that hosters use for many customers, in capitals, separated by commas',
  ],
  SESSION_ALERT_AFTER: [
    duration.pipe(z.int().max(UNIT_MS.d)).optional(),
    'how long a BGP session is down before its customer, or the staff for an upstream, is sent an email, such as 5m, at most 1d; 0 for immediately',
  ],
  DOWNSTREAM_GRACE: [
    duration.optional(),
    'how long an approved prefix stays without its AS-SET, the agreement of its origin or its proof of space, such as 24h or 7d',
  ],
  RDAP_URL: [
    absoluteUrl(['http:', 'https:']).optional(),
    'the base address of one RDAP server instead of the bootstrap of IANA',
  ],
  DNS_RESOLVER: [
    z.union([z.enum(['system', 'simulated']), resolverAddresses]).default('system'),
    'system, simulated, or addresses of resolvers separated by commas, each with a port where it is not 53',
  ],
  PEERINGDB_URL: [
    absoluteUrl(['http:', 'https:']).default('https://www.peeringdb.com'),
    'the base address of PeeringDB, where networks name their AS-SET',
  ],
  PEERINGDB_CLIENT_ID: [z.string().min(1).max(200).optional(), 'the id of an OAuth client at PeeringDB'],
  PEERINGDB_CLIENT_SECRET: [z.string().min(1).max(400).optional(), 'the secret of that client'],
  PAYMENTS: [
    z.enum(['auto', 'test']).default('auto'),
    'auto or test; auto accepts payments that move no money in a demonstration only, test always',
  ],
  STRIPE_SECRET_KEY: [
    z
      .string()
      .regex(/^(sk|rk)_/)
      .optional(),
    'a secret key of Stripe',
  ],
  STRIPE_PUBLISHABLE_KEY: [z.string().regex(/^pk_/).optional(), 'a publishable key of Stripe'],
  STRIPE_WEBHOOK_SECRET: [
    z
      .string()
      .regex(/^whsec_/)
      .optional(),
    'the signing secret of the webhook of Stripe',
  ],
  WEBHOOK_DENY: [
    z
      .string()
      .default('')
      .transform((text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      )
      .refine((parts) => parts.every((part) => tryParsePrefix(part) !== null)),
    'your networks that customers’ webhooks must not reach, separated by commas; special-purpose addresses are never reached',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    absoluteUrl(['http:', 'https:']).optional(),
    'the address of an OpenTelemetry collector (OTLP over HTTP), to which /v1/traces is added',
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    z
      .string()
      .default('')
      .refine((text) => text === '' || /^[\w-]+=[^,]+(,[\w-]+=[^,]+)*$/.test(text))
      .transform((text) =>
        Object.fromEntries(
          text.split(',').flatMap((pair) => {
            const at = pair.indexOf('=')
            return at > 0 ? [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]] : []
          }),
        ),
      ),
    'headers for it, as name=value, separated by commas',
  ],
  OTEL_SERVICE_NAME: [z.string().trim().min(1).max(100).default('longhaul'), 'the name under which traces are filed'],
  AUDIT_SYSLOG: [
    z
      .string()
      .refine((text) => parseReceiver(text) !== null)
      .transform((text) => parseReceiver(text)!)
      .optional(),
    'udp://, tcp:// or tls:// with host and port: a syslog receiver that keeps the heads of the audit log',
  ],
  SENTRY_DSN: [absoluteUrl(['https:', 'http:']).optional(), 'the DSN of an error-reporting project'],
  STAFF_SECOND_FACTOR: [
    z.enum(['auto', 'required', 'off']).default('auto'),
    'auto, required or off; auto asks it of staff wherever others than this machine can reach the portal',
  ],
  SECOND_FACTOR_RESET_WAIT: [
    duration
      .pipe(
        z
          .int()
          .min(UNIT_MS.h)
          .max(7 * UNIT_MS.d),
      )
      .optional(),
    'how long the reset of a second factor waits after it was approved, such as 24h or 2d, from 1h to 7d',
  ],
  DEMO: [onOff.optional(), 'on or off'],
  DEMO_ROUTERS: [
    onOff.default(true),
    'on or off; off where the machine is too small for the routers of the demonstration',
  ],
  DEMO_PASSWORD: [z.string().max(200).optional(), 'a password of at most 200 characters'],
  RELEASE: [
    z
      .string()
      .regex(/^[\w.+-]{1,64}$/)
      .optional(),
    'a version or a commit',
  ],
  SECRET_KEY: [z.string().min(32).optional(), 'at least 32 characters of secret, the same on every process'],
  SECRET_KEY_PREVIOUS: [
    z
      .string()
      .transform((text) => text.split(',').map((key) => key.trim()))
      .pipe(z.array(z.string().min(32)).max(5))
      .optional(),
    'former values of SECRET_KEY, separated by commas, newest first',
  ],
  TRUSTED_PROXIES: [z.string().default(''), 'addresses or networks of reverse proxies, separated by commas'],
  LOG_LEVEL: [
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'trace, debug, info, warn, error or silent',
  ],
  METRICS_TOKEN: [z.string().min(16).optional(), 'at least 16 characters that /metrics wants as a bearer token'],
  ROLE: [z.enum(['all', 'web', 'worker']).default('all'), 'all, web or worker'],
  HYPERVISOR: [slug.default(FIRST_HYPERVISOR), 'the short name of the hypervisor that this process drives, or none'],
  EDGE_NAME: [slug.default(FIRST_EDGE), 'the short name of the edge that this process drives, or none'],
  AGENT_LISTEN: [
    hostAndPort.optional(),
    'host:port at which a worker takes connections of agents, which are TLS with certificates of its own',
  ],
  AGENT_URL: [
    absoluteUrl(['http:', 'https:']).optional(),
    'the http:// or https:// address at which other processes reach this one, without a path',
  ],
} as const satisfies Record<string, readonly [z.ZodType, string]>

/** Every setting with its description and its default; a test compares the manual with this. */
export const SETTINGS = Object.entries(VARIABLES).map(([name, [schema, takes]]) => ({
  name,
  takes,
  byDefault: schema.safeParse(undefined).data,
}))

export type Variables = { [K in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[K][0]> }

/** Settings that may contain a password, and settings that are entirely secret. */
export const addressNames = new Set(['DATABASE_URL', 'SMTP_URL'])
export const secretNames = new Set([
  'PEERINGDB_CLIENT_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'DEMO_PASSWORD',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
])
