/** The agents of hypervisors and edges. */
import { createEnrolmentToken, listAgents, revokeAgent } from '../../accounts/index.ts'
import { systemClock } from '../../kernel/clock.ts'
import { slug } from '../../kernel/slug.ts'
import { readSecretKey } from '../../main/installation-secrets.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction } from '../../platform/db/index.ts'
import { choice, defineCommand, wholeNumber } from '../command.ts'
import { settingsOf, withTables } from '../store.ts'

const OF = {
  kind: choice('hypervisor', 'edge'),
  name: { takes: 'the short name of the hypervisor or the edge', schema: slug },
}

const tokenCommand = defineCommand({
  name: 'agent token',
  summary: 'Create a single-use enrolment token for the agent of a hypervisor or an edge, valid for a day.',
  notes:
    'Set it as AGENT_TOKEN on the host and start longhaul-agent there. The new key replaces the current one. You can add\nthe hypervisor or the edge later.',
  args: OF,
  options: {},
  async run({ kind, name }, terminal) {
    const config = settingsOf(terminal)
    const { token } = await withTables(config, terminal, async (db) => {
      const secretKey = await readSecretKey(config)
      return inTransaction(db, (on) =>
        createEnrolmentToken({ secretKey, clock: systemClock }, on, SYSTEM, { kind, slug: name }),
      )
    })
    terminal.say(token)
  },
})

const listCommand = defineCommand({
  name: 'agent list',
  summary: 'List the agent keys of a hypervisor or an edge, the accepted one first.',
  args: OF,
  options: {},
  async run({ kind, name }, terminal) {
    const agents = await withTables(settingsOf(terminal), terminal, (db) => listAgents(db, { kind, slug: name }))
    if (agents.length === 0) terminal.say(`No agent enrolled: longhaul agent token ${kind} ${name}`)
    for (const { id, key, connected, enrolledAt, revokedAt, seenAt } of agents) {
      const state = revokedAt === null ? (connected ? 'connected' : 'not connected') : `revoked ${revokedAt}`
      terminal.say(`${id}  ${key.slice(0, 16)}  ${state}  enrolled ${enrolledAt}  last seen ${seenAt ?? 'never'}`)
    }
  },
})

const revokeCommand = defineCommand({
  name: 'agent revoke',
  summary: 'Revoke the key of an agent and close its connection.',
  args: { id: wholeNumber('its ID in agent list') },
  options: {},
  async run({ id }, terminal) {
    await withTables(settingsOf(terminal), terminal, (db) =>
      inTransaction(db, (on) => revokeAgent(on, SYSTEM, id, systemClock.now())),
    )
    terminal.say(`The key of agent ${id} is revoked.`)
  },
})

export const AGENT_COMMANDS = [tokenCommand, listCommand, revokeCommand]
