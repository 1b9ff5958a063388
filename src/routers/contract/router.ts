/** A router, as responses to customers and staff show it. */
import { z } from 'zod'
import { asn, time } from '../../kernel/shapes.ts'
import { CREATION_STEPS, ROUTER_ACTIONS, ROUTER_STATES } from '../states.ts'

/** RFC 1123 section 2.1: it becomes the host name of the router. */
export const name = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i,
    'takes 1 to 63 letters, digits and hyphens, and neither begins nor ends with a hyphen',
  )

export const hostAddress = z.object({ family: z.union([z.literal(4), z.literal(6)]), address: z.string() })

const address = hostAddress.extend({
  prefixLength: z.int(),
  gateway: z.string(),
})

const routerFields = {
  id: z.int(),
  uuid: z.uuid(),
  name: z.string(),
  state: z.enum(ROUTER_STATES),
  /** False while its hypervisor is unreachable: the state is then the last one seen. */
  stateKnown: z.boolean(),
  observedAt: time.nullable(),
  /** Why it is FAILED, written for its owner. */
  failure: z.string().nullable(),
  cpus: z.int(),
  /** MiB */
  memory: z.int(),
  /** GiB */
  diskSize: z.int(),
  /** Slugs of the catalogue. */
  image: z.string(),
  plan: z.string(),
  site: z.string(),
  /** The display names, also of items no longer in the catalogue. */
  labels: z.object({ image: z.string(), plan: z.string(), site: z.string() }),
  mac: z.string(),
  addresses: z.array(address),
  createdAt: time,
  /** It can be neither deleted nor reinstalled until this is off. */
  deleteProtected: z.boolean(),
  /** A deletion can be undone until then; null when nothing is deleted, and once the purge has begun. */
  purgeAt: time.nullable(),
  /** The steps of CREATING and REINSTALLING, in order; null is yet to come. */
  steps: z.array(z.object({ name: z.enum(CREATION_STEPS), at: time.nullable() })),
  allowedActions: z.array(z.enum(ROUTER_ACTIONS)),
}
export const router = z.object(routerFields)

export const metricsPoint = z.object({
  at: time,
  /** Fraction of all its CPUs, 0 to 1. */
  cpu: z.number().nullable(),
  /** MiB in use. */
  memory: z.number().nullable(),
  /** bit/s that the router received and sent. */
  rx: z.number().nullable(),
  tx: z.number().nullable(),
})

export const routerSession = z.object({
  family: z.union([z.literal(4), z.literal(6)]),
  localAsn: asn,
  localAddress: z.string(),
  peerAsn: asn,
  peerAddress: z.string(),
  state: z.string(),
  stateKnown: z.boolean(),
  since: time.nullable(),
  /** When it went down after it was up; null while it is up, and before it first was. */
  downSince: time.nullable(),
  received: z.int(),
  accepted: z.int(),
  exported: z.int(),
  lastError: z.string().nullable(),
  observedAt: time.nullable(),
})

const sessionState = routerSession.pick({
  family: true,
  state: true,
  stateKnown: true,
  downSince: true,
  lastError: true,
})

/** One row of the owner's list. */
export const ownRouter = router.extend({ sessions: z.array(sessionState) })

export const detailFields = {
  ...routerFields,
  /** BGP sessions that run on this router. */
  sessions: z.array(routerSession),
  /** The newest sample; null before the first. */
  metrics: metricsPoint.nullable(),
  /** Whether the guest runs the desired routing configuration, and the error if it rejected it. */
  configuration: z.object({
    current: z.boolean(),
    appliedAt: time.nullable(),
    error: z.string().nullable(),
    /** Why the guest runs without the owner's files in `/data/bird.d`; null when it loaded them. */
    ownFilesError: z.string().nullable(),
  }),
  /** A change takes effect with the next start. */
  needsRestart: z.boolean(),
  /** How many seconds a deletion can be undone for; 0: it cannot. */
  deletionGrace: z.int(),
}
export const routerDetail = z.object(detailFields)
