import { setTimeout as sleep } from 'node:timers/promises'
import { EdgeError } from '../index.ts'
import { expectSuccess, replyText, type BirdControl } from './control.ts'

/** Uses BIRD's own commit-confirm: BIRD undoes a configuration that is not confirmed in time. */

/** Returns the generation that BIRD reports; null when its bird.conf does not include our files. */
export async function runningGeneration(control: BirdControl): Promise<string | null> {
  const reply = await control.command('eval LH_GENERATION')
  if (reply.code >= 8000) return null
  return /^([0-9a-f]{32}|none)$/.exec(replyText(reply))?.[0] ?? null
}

/** Loads the files on disk with a timeout. Throws `EdgeError` refused with BIRD's message; nothing was loaded then. */
export async function configureTimeout(control: BirdControl, seconds: number): Promise<void> {
  // A third for loading, a third for the sessions that restart, and the last third for checking.
  const patience = (seconds * 1000) / 3
  const reply = await control.command(`configure timeout ${seconds}`, { deadlineMs: patience })
  if (reply.code === 8002) throw new EdgeError('refused', `The edge refused the configuration: ${replyText(reply)}`)
  if (reply.code === 8007) throw new EdgeError('internal', 'The control socket of the edge is read-only for us.')
  if (reply.code >= 8000) throw new EdgeError('unreachable', `The edge cannot load now: ${replyText(reply)}`)
  await untilSettled(control, patience)
}

/**
 * Confirms the configuration for good. Succeeds also if an earlier call confirmed it, but not if the timer was faster.
 */
export async function configureConfirm(control: BirdControl, generation: string): Promise<void> {
  expectSuccess(await control.command('configure confirm'))
  if ((await runningGeneration(control)) !== generation)
    throw new EdgeError('rolled-back', 'The edge took the change back before it was looked at to the end.')
}

/** Returns to the previous configuration; no error when none is pending. */
export async function configureUndo(control: BirdControl): Promise<void> {
  expectSuccess(await control.command('configure undo'))
  await untilSettled(control, 10_000)
}

/** BIRD reports when a change that restarts sessions is complete; until then its replies mix the old and the new. */
export async function untilSettled(control: BirdControl, deadlineMs: number): Promise<void> {
  const deadline = Date.now() + deadlineMs
  for (let wait = 5; ; wait = Math.min(wait * 2, 250)) {
    const reply = expectSuccess(await control.command('show status'))
    if (replyText(reply) === 'Daemon is up and running') return
    if (Date.now() > deadline)
      throw new EdgeError('timeout', `The edge is still busy with a change: ${replyText(reply)}.`)
    await sleep(wait)
  }
}
