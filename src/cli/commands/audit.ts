import { z } from 'zod'
import { verifyAuditChain } from '../../platform/audit-chain.ts'
import { defineCommand, optional } from '../command.ts'
import { settingsOf, withTables } from '../store.ts'

const head = {
  takes: 'POSITION:HASH, a head that an earlier run printed',
  schema: z
    .string()
    .regex(/^\d{1,15}:[0-9a-f]{64}$/)
    .transform((text) => {
      const [position = '', hash = ''] = text.split(':')
      return { position: Number(position), hash }
    }),
}

export const verifyAudit = defineCommand({
  name: 'audit verify',
  summary: 'Check that no line of the audit trail was changed, removed, put in or moved.',
  notes:
    'Keep the head that it prints somewhere else: whoever may write the whole database can write a whole new trail, and only\n--head shows that. Exit code 1 when something is wrong.',
  args: {},
  options: { head: optional(head) },
  async run({ head: known }, terminal) {
    const { head: end, faults } = await withTables(settingsOf(terminal), terminal, (db) => verifyAuditChain(db, known))
    for (const fault of faults) terminal.say(fault)
    if (faults.length > 0) return 1
    terminal.say(`${end.position} lines, all as they were written. Head: ${end.position}:${end.hash}`)
    return 0
  },
})
