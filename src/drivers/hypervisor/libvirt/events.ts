import type { HypervisorEvent, MachineState } from '../index.ts'
import { domainPrefix, type Host } from './host.ts'
import { readDomainEvent } from './rpc/domains.ts'
import { EVENT_MESSAGES } from './rpc/procedures.ts'

const AGENT_CONNECTED = 1
const STOPPED = 5
/** Details of "stopped": QEMU crashed, or failed to start. */
const STOPPED_BADLY: ReadonlySet<number> = new Set([2, 5])
const STATE_AFTER: ReadonlyMap<number, MachineState> = new Map<number, MachineState>([
  [1, 'absent'],
  [2, 'running'],
  [3, 'paused'],
  [4, 'running'],
  [STOPPED, 'off'],
  [6, 'stopping'],
  [7, 'paused'],
  [8, 'crashed'],
])

/** Translates a message of libvirt; returns null if it is about another's machine, or contains nothing new. */
export function readEvent(host: Pick<Host, 'instance'>, procedure: number, body: Buffer): HypervisorEvent | null {
  if (procedure !== EVENT_MESSAGES.lifecycle && procedure !== EVENT_MESSAGES.agent) return null
  const { domain, first, second } = readDomainEvent(body)
  if (!domain.name.startsWith(domainPrefix(host))) return null
  const { uuid } = domain
  if (procedure === EVENT_MESSAGES.agent) return { type: 'agent', uuid, up: first === AGENT_CONNECTED }
  const state = first === STOPPED && STOPPED_BADLY.has(second) ? 'crashed' : STATE_AFTER.get(first)
  return state === undefined ? null : { type: 'machine', uuid, state }
}
