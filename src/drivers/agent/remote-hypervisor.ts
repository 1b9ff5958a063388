/**
 * An agent's hypervisor behind the interface of a local one. An agent's responses are as hostile as its host may be:
 * `protocol.ts` parses all of them.
 */
import type { ClientHttp2Stream } from 'node:http2'
import { z } from 'zod'
import {
  HypervisorError,
  type GuestChannel,
  type Hypervisor,
  type HypervisorErrorKind,
  type HypervisorEvent,
} from '../hypervisor/index.ts'
import { CallError, type Link } from './link.ts'
import { hypervisorEvent, type HYPERVISOR_METHODS } from './protocol.ts'

const KINDS = z.enum([
  'not-found',
  'invalid-state',
  'unreachable',
  'timeout-unknown',
  'refused',
  'no-space',
  'agent-silent',
  'unsupported',
  'internal',
])
/** For a graceful stop and a program in a guest when the caller sets no deadline. */
const OWN_DEADLINE_MS = 300_000
const LONGEST_EVENT = 8_192
const ENDED = 'The connection to the agent ended.'

type HypervisorLink = Link<typeof HYPERVISOR_METHODS>

export function createRemoteHypervisor(kind: Hypervisor['kind'], link: HypervisorLink): Hypervisor {
  const read = <T>(work: Promise<T>): Promise<T> => work.catch((error: unknown) => fail(error, 'unreachable'))
  const change = <T>(work: Promise<T>): Promise<T> => work.catch((error: unknown) => fail(error, 'timeout-unknown'))
  const openStream = (what: string, uuid: string) => read(link.open(`${what}/${encodeURIComponent(uuid)}`))

  return {
    kind,
    facts: () => read(link.call('facts', {})),
    images: () => read(link.call('images', {})),
    ensure: (spec) => change(link.call('ensure', spec)),
    start: (uuid) => change(link.call('start', { uuid })),
    async stop(uuid, { signal, ...options }) {
      const extraMs = options.deadlineMs ?? OWN_DEADLINE_MS
      await change(
        link.call('stop', { uuid, ...options }, { extraMs, signal }).catch((error: unknown) => {
          // Aborted by its caller, which is not a failure.
          if (!signal?.aborted) throw error
        }),
      )
    },
    reset: (uuid) => change(link.call('reset', { uuid })),
    reinstall: (uuid) => change(link.call('reinstall', { uuid })),
    remove: (uuid) => change(link.call('remove', { uuid })),
    list: () => read(link.call('list', {})),
    orphanedResources: () => read(link.call('orphanedResources', {})),
    state: (uuid) => read(link.call('state', { uuid })),
    endedBy: (uuid) => read(link.call('endedBy', { uuid })),
    guardPorts: () => change(link.call('guardPorts', {})),
    stats: () => read(link.call('stats', {})),
    guest: (uuid): GuestChannel => ({
      ping: () => read(link.call('guest.ping', { uuid })),
      writeFile: (path, content, mode) =>
        change(link.call('guest.writeFile', { uuid, path, content, ...(mode !== undefined && { mode }) })),
      exec: (argv, { deadlineMs } = {}) =>
        change(
          link.call(
            'guest.exec',
            { uuid, argv, ...(deadlineMs !== undefined && { deadlineMs }) },
            { extraMs: deadlineMs ?? OWN_DEADLINE_MS },
          ),
        ),
    }),
    openSerial: (uuid) => openStream('serial', uuid),
    openDisplay: (uuid) => openStream('display', uuid),
    events: (signal) => readEvents(link, signal),
    close: async () => link.close(),
  }
}

async function* readEvents(link: HypervisorLink, signal: AbortSignal): AsyncGenerator<HypervisorEvent> {
  let stream: ClientHttp2Stream | undefined
  const end = () => stream?.destroy()
  signal.addEventListener('abort', end, { once: true })
  try {
    stream = await link.open('events')
    for await (const line of linesOf(stream)) {
      if (signal.aborted) return
      yield hypervisorEvent.parse(JSON.parse(line))
    }
  } catch (error) {
    if (signal.aborted) return
    const reason = link.closed.aborted
      ? ENDED
      : error instanceof CallError
        ? error.message
        : 'What the agent tells of its machines cannot be read.'
    yield { type: 'lost', reason }
    return
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
  if (!signal.aborted) yield { type: 'lost', reason: ENDED }
}

async function* linesOf(stream: ClientHttp2Stream): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop()!
    if (rest.length > LONGEST_EVENT) throw new Error('an event without an end')
    yield* lines
  }
}

function fail(error: unknown, unanswered: HypervisorErrorKind): never {
  if (!(error instanceof CallError)) throw error
  const { how, failure, message } = error
  if (how === 'failed') {
    const kind = KINDS.safeParse(failure?.kind)
    const code = failure?.code
    throw new HypervisorError(kind.success ? kind.data : 'internal', message, {
      ...(code !== undefined && { code }),
      cause: error,
    })
  }
  const kind = how === 'fenced' ? 'unreachable' : how === 'garbled' ? 'internal' : unanswered
  throw new HypervisorError(kind, message, { cause: error })
}
