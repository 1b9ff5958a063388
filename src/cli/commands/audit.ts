import { z } from 'zod'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { headsIn, verifyAuditChain, type ChainHead } from '../../platform/audit-chain.ts'
import { CommandError, defineCommand, optional, text } from '../command.ts'
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
  summary: 'Verify that no entry of the audit log was changed, removed, inserted or moved.',
  notes:
    'Keep the printed head elsewhere. Someone with full write access to the database could replace the whole log; only --head,\nor --heads with the log of the workers, detects that. Exit code 1 if verification fails.',
  args: {},
  options: { head: optional(head), heads: optional(text('a log file with "audit head …" lines')) },
  async run({ head: known, heads }, terminal) {
    const exported = heads === undefined ? [] : await readHeads(heads)
    const noted = known ? [known, ...exported] : exported
    const { head: end, faults } = await withTables(settingsOf(terminal), terminal, (db) => verifyAuditChain(db, noted))
    for (const fault of faults) terminal.say(fault)
    if (faults.length > 0) return 1
    if (heads !== undefined)
      terminal.say(
        exported.length === 1
          ? '1 exported head is in the chain.'
          : `${exported.length} exported heads are in the chain.`,
      )
    terminal.say(`${end.position} entries verified. Head: ${end.position}:${end.hash}`)
    return 0
  },
})

/** Returns each head once: a log of years has few of our lines among many others. */
async function readHeads(file: string): Promise<ChainHead[]> {
  const found = new Map<string, ChainHead>()
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
      for (const one of headsIn(line)) found.set(`${one.position}:${one.hash}`, one)
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`)
  }
  if (found.size === 0)
    throw new CommandError(`${file} has no line with an exported head ("audit head POSITION:HASH").`)
  return [...found.values()]
}
