/** Hands a running guest its routing configuration: written, checked by BIRD itself, then loaded. */
import { HypervisorError, type GuestChannel } from '../drivers/hypervisor/index.ts'
import { GUEST_BIRD_CONF } from './guest.ts'

/** Beside the file that BIRD runs on, so that one that BIRD refuses never replaces it. */
const CANDIDATE = `${GUEST_BIRD_CONF}.new`
const DEADLINE_MS = 15_000
/** `birdc` ends with 0 also when BIRD refuses: its words decide (BIRD 2, doc/reply_codes: 0003 and 0004 load, 0020 checked). */
const CHECKED = /^Configuration OK$/m
const LOADED = /^Reconfigur(ed|ation in progress)$/m
const NOT_RUNNING = /Unable to connect to server control socket/
/** What a person reads; a guest may answer anything. */
const WORDS_MAX = 300

/** Null when BIRD runs on it now, else why it does not, in the words of BIRD. Throws when the guest cannot be reached. */
export async function pushBirdConf(guest: GuestChannel, birdConf: string): Promise<string | null> {
  await guest.writeFile(CANDIDATE, birdConf, 0o600)
  const check = await run(guest, ['birdc', 'configure', 'check', `"${CANDIDATE}"`])
  if (NOT_RUNNING.test(check.output)) {
    // It starts with what lies there: the file that it ended on, or this one, which is at least ours.
    await guest.writeFile(GUEST_BIRD_CONF, birdConf, 0o600)
    throw new HypervisorError('agent-silent', 'BIRD does not run in the guest yet')
  }
  if (check.exitCode !== 0 || !CHECKED.test(check.output)) return words(check.output)
  await guest.writeFile(GUEST_BIRD_CONF, birdConf, 0o600)
  const load = await run(guest, ['birdc', 'configure'])
  return load.exitCode === 0 && LOADED.test(load.output) ? null : words(load.output)
}

async function run(guest: GuestChannel, argv: readonly string[]): Promise<{ exitCode: number; output: string }> {
  const { exitCode, stdout, stderr } = await guest.exec(argv, { deadlineMs: DEADLINE_MS })
  return { exitCode, output: `${stdout}\n${stderr}`.trim() }
}

function words(output: string): string {
  const text = output
    .replace(/^BIRD [\d.]+ ready\.$/m, '')
    // eslint-disable-next-line no-control-regex -- that is what is taken out
    .replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
  return text === '' ? 'The router did not say why.' : text.slice(0, WORDS_MAX)
}
