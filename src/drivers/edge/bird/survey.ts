import type { EdgeSession } from '../index.ts'
import { expectSuccess, type BirdControl } from './control.ts'
import { parseBfd, parseSessions } from './parse-protocols.ts'
import { BFD_PROTOCOL } from './render-bfd.ts'
import { protocolName } from './render-customer.ts'
import { customerFile, type RenderedEdge } from './render.ts'
import type { Files } from '../slots.ts'
import { runningGeneration } from './transaction.ts'
import { requireUndisturbed, rolledBack, type Survey } from '../undisturbed.ts'

const NO_PROTOCOLS_MATCH = 8003

/** Reads all sessions, or one customer's. `counts` costs about 0.2 ms a session; without it the numbers are zero. */
export async function readSessions(
  control: BirdControl,
  options: { counts: boolean; customerId?: number },
): Promise<EdgeSession[]> {
  const whose = options.customerId === undefined ? '*' : `${options.customerId}_v*`
  const reply = await control.command(`show protocols ${options.counts ? 'all ' : ''}"lh_c${whose}"`)
  if (reply.code === NO_PROTOCOLS_MATCH) return []
  if (!options.counts) return parseSessions(expectSuccess(reply))
  // Without a session that uses it the protocol does not exist: BIRD returns a syntax error, which has no table.
  return parseSessions(expectSuccess(reply), parseBfd(await control.command(`show bfd sessions ${BFD_PROTOCOL}`)))
}

/**
 * Before a change: reads the sessions that it should not disturb. A new policy may restart every session, but must not
 * leave it without routes.
 */
export async function surveyUntouched(control: BirdControl, before: Files, after: RenderedEdge): Promise<Survey> {
  const policyChanges = before.get('policy.conf') !== after.files.get('policy.conf')
  const sessions = await readSessions(control, { counts: policyChanges })
  const untouched = sessions.filter((session) => {
    const path = customerFile({ id: session.customerId })
    return session.state === 'ESTABLISHED' && before.get(path) === after.files.get(path)
  })
  return { policyChanges, untouched }
}

/**
 * After a change, while it can still be undone. Throws `EdgeError` rolled-back with the reason if the edge is not as it
 * should be.
 */
export async function verifyPending(
  control: BirdControl,
  expected: RenderedEdge,
  survey: Survey | null,
): Promise<void> {
  if ((await runningGeneration(control)) !== expected.generation)
    rolledBack('it runs another generation: does its bird.conf include live/policy.conf of the directory we write to?')
  const sessions = await readSessions(control, { counts: survey?.policyChanges ?? false })
  const byName = new Map(sessions.map((session) => [protocolName(session.customerId, session.family), session]))
  for (const customer of expected.state.customers)
    for (const { family } of customer.neighbors) {
      const name = protocolName(customer.id, family)
      if (!byName.has(name))
        rolledBack(`the session ${name} is missing: does its bird.conf include live/customers/*.conf?`)
    }
  if (survey) requireUndisturbed(survey, sessions)
}
