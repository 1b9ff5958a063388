import { EdgeError, type ApplyResult } from '../index.ts'
import { BirdControl, expectSuccess } from './control.ts'
import { customerFile, type RenderedEdge } from './render.ts'
import { protocolName } from './render-customer.ts'
import { otherSlot, type ConfigSlots, type Files, type Slot } from '../slots.ts'
import { surveyUntouched, verifyPending } from './survey.ts'
import { configureConfirm, configureTimeout, runningGeneration, configureUndo, untilSettled } from './transaction.ts'

/** Long enough to load and check an edge of ten thousand sessions, short enough to tolerate a bad configuration. */
export const CONFIRM_WITHIN_SECONDS = 30

/**
 * Writes the new files, switches the link, loads with a timeout, checks, confirms. If it is killed between any two
 * steps, the edge runs either the old state or the new one in full. The next call recognizes and repairs the directory.
 */
export async function applyRendered(
  edge: { socket: string; slots: ConfigSlots; confirmWithinSeconds: number },
  rendered: RenderedEdge,
): Promise<ApplyResult> {
  const { slots } = edge
  const { generation } = rendered
  using control = await BirdControl.connect(edge.socket, { restricted: false })
  await untilSettled(control, 10_000)
  const slot = await dropAbandonedPending(control, slots, generation)
  const before = slot ? await slots.read(slot) : new Map<string, string>()

  if ((await runningGeneration(control)) === generation && sameFiles(before, rendered.files)) {
    if ((await slots.confirmed()) !== generation) await finishPending(control, { slots, slot: slot! }, rendered, null)
    return { generation, changed: false }
  }

  const next = slot ? otherSlot(slot) : 'a'
  const [survey] = await Promise.all([surveyUntouched(control, before, rendered), slots.write(next, rendered.files)])
  await slots.activate(next)
  const shut = shutDownBy(before, rendered)
  try {
    for (const { name, message } of shut) expectSuccess(await control.command(`disable ${name} "${message}"`))
    await configureTimeout(control, edge.confirmWithinSeconds)
    await finishPending(control, { slots, slot: next }, rendered, survey)
  } catch (error) {
    await putBack(control, slots, slot, error)
    for (const { name } of shut) await control.command(`enable ${name}`).catch(() => {})
    throw error
  }
  return { generation, changed: true }
}

async function finishPending(
  control: BirdControl,
  { slots, slot }: { slots: ConfigSlots; slot: Slot },
  rendered: RenderedEdge,
  survey: Parameters<typeof verifyPending>[2],
): Promise<void> {
  await verifyPending(control, rendered, survey)
  await configureConfirm(control, rendered.generation)
  await slots.confirm(slot, rendered.generation)
}

/**
 * A killed apply leaves a link to files that BIRD may have left already, or a configuration that is not confirmed. If
 * it is the wanted one, it is kept. Any other is undone first: BIRD remembers only one step, and would otherwise undo
 * our change to a state that was never checked. Returns the slot that runs now.
 */
async function dropAbandonedPending(control: BirdControl, slots: ConfigSlots, wanted: string): Promise<Slot | null> {
  let running = await runningGeneration(control)
  const confirmed = await slots.confirmed()
  if (running !== null && running !== confirmed && running !== wanted) {
    await configureUndo(control)
    running = await runningGeneration(control)
  }
  const live = await slots.live()
  const slot = (await slots.holding(running)) ?? live
  if (slot !== null && slot !== live) await slots.activate(slot)
  return slot
}

/**
 * The files first: BIRD's timer restores the running configuration even if the connection fails, but only we can
 * restore the disk.
 */
async function putBack(control: BirdControl, slots: ConfigSlots, slot: Slot | null, reason: unknown): Promise<void> {
  if (slot !== null) await slots.activate(slot)
  const nothingLoaded = reason instanceof EdgeError && reason.kind === 'refused'
  if (nothingLoaded) return
  // Best effort, to save a few seconds: the timer does the same without us.
  await configureUndo(control).catch(() => {})
}

const sameFiles = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...b].every(([path, content]) => a.get(path) === content)

/**
 * Returns the sessions that this change shuts down with a message. BIRD sends a message only for its command (RFC
 * 9003). The configuration that follows keeps the sessions down, also after a restart of BIRD.
 */
function shutDownBy(before: Files, { files, state }: RenderedEdge): { name: string; message: string }[] {
  return state.customers.flatMap((customer) => {
    const was = before.get(customerFile(customer))
    const message = customer.shutdownMessage
    if (message === undefined || was === undefined || was === files.get(customerFile(customer))) return []
    return customer.neighbors
      .map(({ family }) => protocolName(customer.id, family))
      .filter((name) => isUpIn(was, name))
      .map((name) => ({ name, message }))
  })
}

const isUpIn = (file: string, name: string): boolean =>
  new RegExp(`^protocol bgp ${name} .*\\{\\n(?! {2}disabled;)`, 'm').test(file)
