import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEffect } from '../../../kernel/effects.ts'
import { EdgeError, type ApplyResult, type EdgeSession } from '../index.ts'
import { GENERATION_FILE, otherSlot, type ConfigSlots, type Files, type Slot } from '../slots.ts'
import { requireUndisturbed, rolledBack, type Survey } from '../undisturbed.ts'
import { checkConfiguration, reload, type Ask } from './control.ts'
import { requireIncludes } from './includes.ts'
import { installedVersion } from './prepare.ts'
import { readSessions, runningGeneration } from './read.ts'
import { neighborName } from './render-customer.ts'
import { BLACKHOLES_FILE, CUSTOMERS_FILE, customerFile, filesOf, type RenderedEdge } from './render.ts'
import { endPending, listPending, newPendingName, startWatchdog } from './pending.ts'

/** Long enough to load and check an edge of a thousand customers, short enough to tolerate a bad configuration. */
export const CONFIRM_WITHIN_SECONDS = 30

export interface Edge {
  readonly socket: string
  readonly ask: Ask
  readonly directory: string
  /** The operator's own file, which includes ours. */
  readonly config: string
  readonly slots: ConfigSlots
  readonly confirmWithinSeconds: number
}

/**
 * Writes the new files, checks them, starts the watchdog, switches the link, loads, verifies, confirms. If it is killed
 * between any two steps, the edge runs either the old state or the new one in full. bgpd loads all or nothing, and the
 * watchdog undoes an unconfirmed change.
 */
export async function applyRendered(edge: Edge, rendered: RenderedEdge): Promise<ApplyResult> {
  const { slots, ask, directory } = edge
  const { generation } = rendered
  const version = await installedVersion()
  const patience = (edge.confirmWithinSeconds * 1000) / 3
  const slot = await dropAbandonedPending(edge, generation, patience)
  const before = slot ? await slots.read(slot) : new Map<string, string>()

  if (slot && (await runningGeneration(ask)) === generation) {
    if (sameFiles(before, filesOf(rendered, { directory, slot, version }))) {
      if ((await slots.confirmed()) !== generation) {
        requireAll(rendered, await readSessions(ask, patience))
        for (const pending of await listPending(directory)) await endPending(directory, pending, 'confirmed')
        await slots.confirm(slot, generation)
      }
      return { generation, changed: false }
    }
  }

  const next = slot ? otherSlot(slot) : 'a'
  const after = filesOf(rendered, { directory, slot: next, version })
  const sessions = await readSessions(ask, patience)
  await slots.write(next, after)
  await check(edge, next)
  const survey = surveyUntouched(before, after, sessions)
  const pending = newPendingName()
  await writeFile(join(directory, pending), generation, { mode: 0o640, flush: true })
  using _watchdog = await startWatchdog({
    seconds: edge.confirmWithinSeconds,
    directory,
    pending,
    before: slot ?? next,
    socket: edge.socket,
  })
  const shut = shutDownBy(sessions, rendered)
  try {
    await slots.activate(next)
    for (const { name, message } of shut) await ask(['neighbor', name, 'down', ...message])
    await reload(ask, patience)
    await untilRunning(ask, generation, patience)
    await bringUp(ask, rendered, { before, after, sessions })
    await untilUndisturbed(edge, rendered, survey, patience)
    await slots.sync(next)
    beforeEffect()
    if (!(await endPending(directory, pending, 'confirmed')))
      throw new EdgeError('rolled-back', 'The edge took the change back before it was looked at to the end.')
  } catch (error) {
    await putBack(edge, { pending, slot, patience }, error)
    for (const { name } of shut) await ask(['neighbor', name, 'up']).catch(() => {})
    throw error
  }
  return { generation, changed: true }
}

/**
 * Checks a copy of the operator's main file with the other slot in place of `live`: the running bgpd accepts no other
 * path.
 */
async function check({ directory, config }: Edge, slot: Slot): Promise<void> {
  const text = await requireIncludes(config, directory)
  const idle = join(directory, `check-${slot}.conf`)
  beforeEffect()
  await writeFile(idle, text.replaceAll(join(directory, 'live/'), join(directory, `${slot}/`)), { mode: 0o600 })
  await checkConfiguration(idle)
}

/**
 * A killed apply leaves a pending change, until its watchdog undoes it, or forever if the watchdog died too. If it is
 * the wanted one, it is kept; any other is undone first. Returns the slot that runs now.
 */
async function dropAbandonedPending(edge: Edge, wanted: string, patience: number): Promise<Slot | null> {
  const { directory, slots, ask } = edge
  const running = await runningGeneration(ask)
  const confirmed = await slots.confirmed()
  const live = await slots.live()
  if (running === wanted || running === confirmed) {
    const slot = (await slots.holding(running)) ?? live
    if (running === confirmed)
      for (const pending of await listPending(directory)) await endPending(directory, pending, 'undone')
    if (slot !== null && slot !== live) await slots.activate(slot)
    return slot
  }
  const good = await slots.holding(confirmed)
  if (good === null) return live
  if (good !== live) await slots.activate(good)
  await reload(ask, patience)
  await untilRunning(ask, confirmed!, patience)
  // Only now: had the rollback failed, the watchdog would still try it.
  for (const pending of await listPending(directory)) await endPending(directory, pending, 'undone')
  return good
}

async function untilRunning(ask: Ask, generation: string, patience: number): Promise<void> {
  for (const deadline = Date.now() + patience; ; await sleep(50)) {
    if ((await runningGeneration(ask)) === generation) return
    if (Date.now() > deadline)
      rolledBack(
        'it runs another generation: does its bgpd.conf include live/customers.conf of the directory we write to?',
      )
  }
}

/** bgpd evaluates every route again after it reports a finished load, so a loss counts only if it lasts. */
async function untilUndisturbed(
  { ask }: Edge,
  rendered: RenderedEdge,
  survey: Survey,
  patience: number,
): Promise<void> {
  for (const deadline = Date.now() + patience; ; await sleep(200)) {
    const sessions = await readSessions(ask, patience)
    requireAll(rendered, sessions)
    const stillUp = shutDownBy(sessions, rendered)
    if (stillUp.length > 0 && Date.now() < deadline) continue
    try {
      return requireUndisturbed(survey, sessions)
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

function requireAll({ state }: RenderedEdge, sessions: readonly EdgeSession[]): void {
  const names = new Set(sessions.map(({ customerId, family }) => neighborName(customerId, family)))
  for (const { id, neighbors } of state.customers)
    for (const { family } of neighbors)
      if (!names.has(neighborName(id, family))) rolledBack(`the session ${neighborName(id, family)} is missing`)
}

function surveyUntouched(before: Files, after: Files, sessions: readonly EdgeSession[]): Survey {
  const policy = [...after.keys()].filter((path) => !path.startsWith('customers/') && !CHANGING_FILES.has(path))
  return {
    policyChanges: policy.some((path) => before.get(path) !== after.get(path)),
    untouched: sessions.filter(({ state, customerId }) => {
      const path = customerFile({ id: customerId })
      return state === 'ESTABLISHED' && before.get(path) === after.get(path)
    }),
  }
}

/** Files that differ for every state. */
const CHANGING_FILES = new Set([BLACKHOLES_FILE, CUSTOMERS_FILE, GENERATION_FILE])

/** The files first: whatever happens to bgpd, the next start reads the disk. */
async function putBack(
  { directory, slots, ask }: Edge,
  { pending, slot, patience }: { pending: string; slot: Slot | null; patience: number },
  reason: unknown,
): Promise<void> {
  if (!(await endPending(directory, pending, 'undone'))) return
  if (slot !== null) await slots.activate(slot)
  const nothingLoaded = reason instanceof EdgeError && reason.kind === 'refused'
  if (!nothingLoaded && slot !== null) await reload(ask, patience).catch(() => {})
}

const sameFiles = (a: Files, b: Files): boolean =>
  a.size === b.size && [...b].every(([path, text]) => a.get(path) === text)

/** Returns the sessions that this change shuts down: a reload alone does not tell the router why (RFC 9003). */
function shutDownBy(sessions: readonly EdgeSession[], { state }: RenderedEdge) {
  const up = namesIn(sessions, 'ESTABLISHED')
  return state.customers.flatMap(({ id, enabled, shutdownMessage, neighbors }) =>
    neighbors
      .filter(({ overLimit }) => !enabled || overLimit)
      .map(({ family }) => neighborName(id, family))
      .filter((name) => up.has(name))
      .map((name) => ({ name, message: enabled ? [] : shutdownMessage === undefined ? [] : [shutdownMessage] })),
  )
}

const namesIn = (sessions: readonly EdgeSession[], state: EdgeSession['state']): ReadonlySet<string> =>
  new Set(sessions.filter((one) => one.state === state).map((one) => neighborName(one.customerId, one.family)))

/**
 * A session that was down stays idle until it gets the command `up`, even if the configuration allows it. A session
 * over its limit that this change did not touch stays as it is.
 */
async function bringUp(
  ask: Ask,
  { state }: RenderedEdge,
  { before, after, sessions }: { before: Files; after: Files; sessions: readonly EdgeSession[] },
): Promise<void> {
  const down = namesIn(sessions, 'DISABLED')
  for (const customer of state.customers) {
    const path = customerFile(customer)
    if (!customer.enabled || before.get(path) === after.get(path)) continue
    for (const { family, overLimit } of customer.neighbors)
      if (!overLimit && down.has(neighborName(customer.id, family)))
        await ask(['neighbor', neighborName(customer.id, family), 'up'])
  }
}
