import { HypervisorError, type HypervisorErrorKind } from '../../index.ts'
import { XdrReader } from './xdr.ts'

/** Codes of libvirt's virterror.h that we distinguish. */
export const CODE = {
  internal: 1,
  noMemory: 2,
  noSupport: 3,
  invalidArgument: 8,
  failed: 9,
  xml: 27,
  authRefused: 45,
  systemError: 38,
  noDomain: 42,
  noPool: 49,
  noVolume: 50,
  invalidState: 55,
  noFilter: 62,
  configUnsupported: 67,
  timedOut: 68,
  accessDenied: 88,
  agentUnresponsive: 86,
  volumeExists: 90,
  agentUnsynced: 97,
} as const

const KINDS: ReadonlyMap<number, HypervisorErrorKind> = new Map<number, HypervisorErrorKind>([
  [CODE.noSupport, 'unsupported'],
  [CODE.configUnsupported, 'unsupported'],
  [CODE.invalidArgument, 'refused'],
  [CODE.failed, 'refused'],
  [CODE.xml, 'refused'],
  [CODE.authRefused, 'refused'],
  [CODE.accessDenied, 'refused'],
  [CODE.noDomain, 'not-found'],
  [CODE.noPool, 'not-found'],
  [CODE.noVolume, 'not-found'],
  [CODE.noFilter, 'not-found'],
  [CODE.invalidState, 'invalid-state'],
  [CODE.volumeExists, 'invalid-state'],
  [CODE.timedOut, 'timeout-unknown'],
  [CODE.agentUnresponsive, 'agent-silent'],
  [CODE.agentUnsynced, 'agent-silent'],
])

const NO_SPACE = /no space left|cannot allocate memory|disk quota exceeded/i

/** Parses the body of a reply whose status is "error" (virNetMessageError). */
export function readRemoteError(procedure: string, body: Buffer): HypervisorError {
  const reader = new XdrReader(body)
  const code = reader.int()
  reader.int() // the part of libvirt that reports: its message says more
  const message = reader.optional() ?? 'no reason was given'
  const kind = NO_SPACE.test(message) || code === CODE.noMemory ? 'no-space' : (KINDS.get(code) ?? 'internal')
  return new HypervisorError(kind, `libvirt (${procedure}): ${message.slice(0, 600)}`, { code })
}

export function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof HypervisorError && error.code !== undefined && codes.includes(error.code)
}
