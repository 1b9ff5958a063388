/**
 * Hands a running guest its routing configuration: written, checked by BIRD itself, then loaded together with the files
 * of the router's owner, or alone when those do not load (decision 25).
 */
import { HypervisorError, type GuestChannel } from '../drivers/hypervisor/index.ts'
import { GUEST_BIRD_CONF } from './guest.ts'

/** Beside the file that BIRD runs on, so that one that BIRD refuses never replaces it. */
const CANDIDATE = `${GUEST_BIRD_CONF}.new`
/** Includes that file and the owner's. Named, because BIRD may have been started without the owner's a moment ago. */
const COMPLETE_CONF = '/etc/bird/bird.conf'
const DEADLINE_MS = 15_000
/** `birdc` ends with 0 also when BIRD refuses: its words decide (BIRD 2, doc/reply_codes: 0003 to 0005 load, 0020 checked). */
const CHECKED = /^Configuration OK$/m
const LOADED = /^Reconfigur(ed|ation in progress|ation already in progress, queueing new config)$/m
const NOT_RUNNING = /Unable to connect to server control socket/
/** What a person reads; a guest may answer anything. */
const WORDS_MAX = 300

export interface PushResult {
  /** Why BIRD does not run on the portal's part; null when it does. */
  readonly error: string | null
  /** Why BIRD runs without the owner's files; null when it loaded them, or there are none. */
  readonly ownFilesError: string | null
}

/** Both errors are in BIRD's words. Throws when the guest cannot be reached. */
export async function pushBirdConf(guest: GuestChannel, birdConf: string): Promise<PushResult> {
  await guest.writeFile(CANDIDATE, birdConf, 0o600)
  const check = await run(guest, ['birdc', 'configure', 'check', `"${CANDIDATE}"`])
  if (NOT_RUNNING.test(check.output)) {
    // It starts with what lies there: the file that it ended on, or this one, which is at least ours.
    await guest.writeFile(GUEST_BIRD_CONF, birdConf, 0o600)
    throw new HypervisorError('agent-silent', 'BIRD does not run in the guest yet')
  }
  if (!succeeded(check, CHECKED)) return { error: words(check.output), ownFilesError: null }
  await guest.writeFile(GUEST_BIRD_CONF, birdConf, 0o600)
  const load = await run(guest, ['birdc', 'configure', `"${COMPLETE_CONF}"`])
  if (succeeded(load, LOADED)) return { error: null, ownFilesError: null }
  // A change of the portal, a withdrawn prefix above all, must not wait for the owner to correct a file.
  const alone = await run(guest, ['birdc', 'configure', `"${GUEST_BIRD_CONF}"`])
  return succeeded(alone, LOADED)
    ? { error: null, ownFilesError: words(load.output) }
    : { error: words(alone.output), ownFilesError: null }
}

const succeeded = ({ exitCode, output }: { exitCode: number; output: string }, by: RegExp): boolean =>
  exitCode === 0 && by.test(output)

async function run(guest: GuestChannel, argv: readonly string[]): Promise<{ exitCode: number; output: string }> {
  const { exitCode, stdout, stderr } = await guest.exec(argv, { deadlineMs: DEADLINE_MS })
  return { exitCode, output: `${stdout}\n${stderr}`.trim() }
}

function words(output: string): string {
  const text = output
    .replace(/^BIRD [\d.]+ ready\.$/m, '')
    .replace(/^Reading configuration from .*$/m, '')
    // eslint-disable-next-line no-control-regex -- that is what is taken out
    .replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
  return text === '' ? 'The router did not say why.' : text.slice(0, WORDS_MAX)
}
