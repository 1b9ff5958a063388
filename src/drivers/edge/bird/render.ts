import { createHash, hash } from 'node:crypto'
import type { EdgeCustomer, EdgeDesiredState } from '../index.ts'
import { GENERATION_FILE } from '../slots.ts'
import { canonicalState, type KnownCustomers } from '../canonical-state.ts'
import { renderBfd } from './render-bfd.ts'
import { renderCustomer } from './render-customer.ts'
import { renderPolicy } from './render-policy.ts'
import { renderVrpCheck } from './render-vrp-check.ts'

/** Separate from the policy: it changes with customers, and a change of the policy is checked differently. */
const VRP_CHECK_FILE = 'vrps.conf'
const BFD_FILE = 'bfd.conf'

export interface RenderedEdge {
  /**
   * Digest of all files but {@link GENERATION_FILE}: it changes with the state, and with the policy of a new release.
   */
  readonly generation: string
  /** Maps each path below the slot's directory to its content, in a fixed order. */
  readonly files: ReadonlyMap<string, string>
  readonly state: EdgeDesiredState
}

/**
 * Renders the files that make BIRD run this state: pure and deterministic. Throws `EdgeError` refused for anything that
 * BIRD cannot express.
 */
export function renderEdge(desired: EdgeDesiredState, known?: KnownCustomers): RenderedEdge {
  const state = canonicalState(desired, known)
  const files = new Map<string, string>()
  const whole = createHash('sha256')
  const add = (path: string, { text, digest }: RenderedFile): void => {
    files.set(path, text)
    whole.update(`${path}\0${digest}\0`)
  }
  add('policy.conf', withDigest(renderPolicy(state)))
  add(VRP_CHECK_FILE, withDigest(renderVrpCheck(state.customers)))
  add(BFD_FILE, withDigest(renderBfd(state.customers)))
  for (const customer of state.customers) add(customerFile(customer), renderOnce(customer))
  const generation = whole.digest('hex').slice(0, 32)
  files.set(GENERATION_FILE, renderGeneration(generation))
  return { generation, files, state }
}

interface RenderedFile {
  readonly text: string
  readonly digest: string
}

const withDigest = (text: string): RenderedFile => ({ text, digest: hash('sha256', text) })

const rendered = new WeakMap<EdgeCustomer, RenderedFile>()
function renderOnce(customer: EdgeCustomer): RenderedFile {
  const file = rendered.get(customer) ?? withDigest(renderCustomer(customer))
  rendered.set(customer, file)
  return file
}

/** The files of an edge before its first state: the whole policy and no customer. */
export function renderEmptyEdge(edge: { localAsn: number; routerId: string }): RenderedEdge {
  const { files, state } = renderEdge({ ...edge, customers: [] })
  return {
    generation: NO_GENERATION,
    files: new Map([...files, [GENERATION_FILE, renderGeneration(NO_GENERATION)]]),
    state,
  }
}

export const NO_GENERATION = 'none'

const renderGeneration = (generation: string): string => `define LH_GENERATION = "${generation}";\n`

export const customerFile = (customer: Pick<EdgeCustomer, 'id'>): string =>
  `customers/c${String(customer.id).padStart(6, '0')}.conf`
