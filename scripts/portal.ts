/** Builds the portal when its sources are not those of the last build. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { glob, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const MARK = path.join('dist', 'portal', '.sources')
/** The build also reads the browser-safe files of every slice: their change must not go unnoticed. */
const SOURCES = [
  'src/portal/**/*',
  'src/*/portal/**/*',
  'src/*/{policy,states,contract}.ts',
  'src/kernel/*.ts',
  'vite.config.ts',
  'package-lock.json',
]

export async function ensurePortal(say: (line: string) => void): Promise<void> {
  const digest = await digestSources()
  if ((await readFile(MARK, 'utf8').catch(() => '')) === digest) return
  say('Building the portal ...')
  const began = performance.now()
  await buildPortal()
  await writeFile(MARK, digest)
  say(`Built in ${Math.round((performance.now() - began) / 1000)} s.`)
}

export async function buildPortal(): Promise<void> {
  const vite = path.join('node_modules', 'vite', 'bin', 'vite.js')
  const build = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], { stdio: ['ignore', 2, 2] })
  const [code] = (await once(build, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The portal could not be built; the reason is above.')
}

async function digestSources(): Promise<string> {
  const files: string[] = []
  for await (const entry of glob(SOURCES, { withFileTypes: true })) {
    if (entry.isFile()) files.push(path.join(entry.parentPath, entry.name))
  }
  const hash = createHash('sha256')
  for (const file of files.toSorted((a, b) => (a < b ? -1 : 1))) hash.update(`${file}\0`).update(await readFile(file))
  return hash.digest('hex')
}
