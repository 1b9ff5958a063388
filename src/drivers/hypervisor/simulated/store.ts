import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { MachineRecord } from './machine.ts'

const recordsSchema = z.array(
  z.object({
    spec: z.object({
      uuid: z.string(),
      label: z.string(),
      cpus: z.number(),
      memory: z.number(),
      diskSize: z.number(),
      image: z.string(),
      nic: z.object({ mac: z.string(), allowedSources: z.array(z.string()) }),
      bootFiles: z.record(z.string(), z.string()),
    }),
    runs: z.string().nullable(),
    startedAt: z.number(),
    crashed: z.boolean(),
    files: z.record(z.string(), z.string()),
  }),
)

/**
 * Keeps machines in one JSON file, so that they survive a restart of the portal; without a folder they end with the
 * process.
 */
export interface MachineStore {
  load(): MachineRecord[]
  save(records: readonly MachineRecord[]): void
}

/** Written at once and atomically: what the portal considers done must be there after a kill. */
export function createMachineStore(directory: string | undefined): MachineStore {
  if (directory === undefined) return { load: () => [], save: () => {} }
  const file = join(directory, 'machines.json')
  return {
    load: () => {
      const text = readIfThere(file)
      return text === null ? [] : recordsSchema.parse(JSON.parse(text))
    },
    save: (records) => {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      writeFileSync(`${file}.new`, JSON.stringify(records, null, 1), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
