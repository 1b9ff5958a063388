import { PROGRAM } from './frame.ts'

/** A procedure of libvirt's protocol. Numbers never change: the protocol only appends. */
export interface Procedure {
  readonly name: string
  readonly program: number
  readonly number: number
  /** Whether a call without an answer may still have had an effect. */
  readonly changes: boolean
  readonly deadlineMs: number
}

const READ_DEADLINE = 10_000
const CHANGE_DEADLINE = 30_000

const reads = (name: string, number: number): Procedure => ({
  name,
  number,
  program: PROGRAM.remote,
  changes: false,
  deadlineMs: READ_DEADLINE,
})

const changes = (name: string, number: number, deadlineMs = CHANGE_DEADLINE): Procedure => ({
  name,
  number,
  program: PROGRAM.remote,
  changes: true,
  deadlineMs,
})

export const PROCEDURES = {
  authList: reads('authList', 66),
  authPolkit: reads('authPolkit', 70),
  supportsFeature: reads('supportsFeature', 60),
  open: reads('open', 1),
  version: reads('version', 4),
  libraryVersion: reads('libraryVersion', 157),
  registerEvent: reads('registerEvent', 316),

  domainLookup: reads('domainLookup', 24),
  domainLookupName: reads('domainLookupName', 23),
  domainState: reads('domainState', 212),
  domainXml: reads('domainXml', 14),
  domainStats: reads('domainStats', 344),
  domainDefine: changes('domainDefine', 350),
  domainCreateXml: changes('domainCreateXml', 10),
  domainStart: changes('domainStart', 196, 60_000),
  domainShutdown: changes('domainShutdown', 258),
  /** QEMU gets ten seconds for SIGTERM before libvirt kills it; a frozen one took 12.2 s. */
  domainDestroy: changes('domainDestroy', 234, 45_000),
  domainReset: changes('domainReset', 245),
  domainResume: changes('domainResume', 28),
  domainUndefine: changes('domainUndefine', 231),
  openConsole: reads('openConsole', 201),

  poolLookup: reads('poolLookup', 84),
  poolCreateXml: changes('poolCreateXml', 76),
  poolDestroy: changes('poolDestroy', 80),
  volumeLookup: reads('volumeLookup', 95),
  volumeInfo: reads('volumeInfo', 98),
  volumeCreateXml: changes('volumeCreateXml', 93),
  volumeResize: changes('volumeResize', 260),
  volumeDelete: changes('volumeDelete', 94),

  filterList: reads('filterList', 286),
  filterLookup: reads('filterLookup', 175),
  filterXml: reads('filterXml', 177),
  filterDefine: changes('filterDefine', 180),
  filterUndefine: changes('filterUndefine', 181),

  agentCommand: { name: 'agentCommand', program: PROGRAM.qemu, number: 3, changes: true, deadlineMs: READ_DEADLINE },
} as const satisfies Record<string, Procedure>

/** Messages that the daemon sends unasked after {@link PROCEDURES.registerEvent}. */
export const EVENT_MESSAGES = { lifecycle: 318, agent: 348 } as const
export const EVENT_IDS = { lifecycle: 0, agent: 18 } as const
