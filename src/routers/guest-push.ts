/**
 * Hands a running guest its routing configuration: written, checked by BIRD itself, then loaded together with the
 * owner's files, or alone when those do not load (decision 25).
 */
import { HypervisorError, type GuestChannel } from '../drivers/hypervisor/index.ts'
import { GUEST_BIRD_CONF } from './guest.ts'

/** Beside the file that BIRD runs on, so that a file that BIRD rejects never replaces it. */
const CANDIDATE = `${GUEST_BIRD_CONF}.new`
/**
 * Includes that file and the owner's. Named explicitly, because BIRD may have been started without the owner's files a
 * moment ago.
 */
const COMPLETE_CONF = '/etc/bird/bird.conf'
const DEADLINE_MS = 15_000
/**
 * `birdc` exits with 0 also when BIRD rejects the file, so its text decides (BIRD 2, doc/reply_codes: 0003 to 0005
 * load, 0020 checked).
 */
const CHECKED = /^Configuration OK$/m
const LOADED = /^Reconfigur(ed|ation in progress|ation already in progress, queueing new config)$/m
const NOT_RUNNING = /Unable to connect to server control socket/
/** Enough for a person to read; a guest may answer anything. */
const WORDS_MAX = 300

export interface PushResult {
  /** Why BIRD does not run on the portal's part; null when it does. */
  readonly error: string | null
  /** Why BIRD runs without the owner's files; null when it loaded them, or there are none. */
  readonly ownFilesError: string | null
}

/** Both errors are BIRD's own text. Throws when the guest cannot be reached. */
export async function pushBirdConf(guest: GuestChannel, birdConf: string): Promise<PushResult> {
  await guest.writeFile(CANDIDATE, birdConf, 0o600)
  const check = await run(guest, ['birdc', 'configure', 'check', `"${CANDIDATE}"`])
  if (NOT_RUNNING.test(check.output)) {
    // It starts with the file that it last ran, or with this one, which is at least ours.
    await guest.writeFile(GUEST_BIRD_CONF, birdConf, 0o600)
    throw new HypervisorError('agent-silent', 'BIRD does not run in the guest yet')
  }
  if (!succeeded(check, CHECKED)) return { error: words(check.output), ownFilesError: null }
  await guest.writeFile(GUEST_BIRD_CONF, birdConf, 0o600)
  const load = await run(guest, ['birdc', 'configure', `"${COMPLETE_CONF}"`])
  if (succeeded(load, LOADED)) return { error: null, ownFilesError: null }
  // A change by the portal, above all a withdrawn prefix, must not wait for the owner to correct a file.
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
