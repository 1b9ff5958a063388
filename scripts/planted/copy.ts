/** Makes a copy of the tree to plant faults in, and runs tests in it on the database server of the tests around it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'

export const ROOT = path.join(import.meta.dirname, '../..')

const PARTS = ['src', 'e2e', 'package.json', 'vitest.config.ts', 'scripts/checks/database-tests.ts', 'tsconfig*.json']

export interface Outcome {
  readonly failed: boolean
  readonly output: string
}

export interface TreeCopy {
  readonly folder: string
  run(files: readonly string[], settings?: Readonly<Record<string, string>>): Promise<Outcome>
  /** Permanent. Throws when nothing changed. */
  change(file: string, change: (text: string) => string): Promise<void>
  /** Applies `change` to one file for one run, and then restores the file. */
  runWith(file: string, change: (text: string) => string, files: readonly string[]): Promise<Outcome>
  remove(): Promise<void>
}

export async function copyTree(): Promise<TreeCopy> {
  const copy = await mkdtemp(path.join(tmpdir(), 'longhaul-plants-'))
  for (const part of PARTS.flatMap((pattern) => globSync(pattern, { cwd: ROOT })))
    await cp(path.join(ROOT, part), path.join(copy, part), { recursive: true })
  for (const part of ['node_modules', 'dist', 'lab']) await symlink(path.join(ROOT, part), path.join(copy, part))

  // Each with the usual number of runs: a fault shows at once, and random failures are not shrunk for long.
  const { PROVE: _, ...env } = process.env
  const run = async (files: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<Outcome> => {
    const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs')
    const child = spawn(process.execPath, [vitest, 'run', ...files, '--bail=1', '--reporter=default'], {
      cwd: copy,
      env: { ...env, TEST_DATABASE_URL: inject('databaseServer'), NO_COLOR: '1', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    return { failed: code !== 0, output }
  }
  return {
    folder: copy,
    run,
    async change(file, change) {
      const text = readFileSync(path.join(copy, file), 'utf8')
      const changed = change(text)
      if (changed === text) throw new Error(`Nothing changed in ${file}.`)
      await writeFile(path.join(copy, file), changed)
    },
    async runWith(file, change, files) {
      const text = readFileSync(path.join(copy, file), 'utf8')
      await writeFile(path.join(copy, file), change(text))
      try {
        return await run(files)
      } finally {
        await writeFile(path.join(copy, file), text)
      }
    },
    remove: () => rm(copy, { recursive: true, force: true }),
  }
}
