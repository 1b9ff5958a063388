/** Builds the portal when its sources differ from those of the last build. */
import { createHash } from 'node:crypto'
import { glob, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { runBuild } from './build-process.ts'

const OUTPUT = path.join('dist', 'portal')
const MARK = path.join(OUTPUT, '.sources')
/** The build also reads the browser-safe files of every slice, so a change to them must be noticed. */
const SOURCES = [
  'src/ui/**/*',
  'src/routes/**/*',
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
  // Under a test NODE_ENV is `test`, and React would be built for development.
  const env = { ...process.env, NODE_ENV: 'production' }
  if (!(await runBuild([vite, 'build', '--logLevel', 'warn'], env)))
    throw new Error('The portal could not be built; the reason is above.')
  await compressFiles()
}

/** Smaller responses fit in one packet anyway. */
const WORTH_COMPRESSING = 1_000

/** Compresses once at the highest level, so that the server only picks a file. */
async function compressFiles(): Promise<void> {
  const files = await Array.fromAsync(glob(path.join(OUTPUT, '**', '*.{js,css,svg}')))
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file)
      if (content.length < WORTH_COMPRESSING) return
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content))
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }))
    }),
  )
}

async function digestSources(): Promise<string> {
  const files: string[] = []
  for await (const entry of glob(SOURCES, { withFileTypes: true })) {
    // Relative: a checkout that is moved need not be built again, which its new user may not be allowed to do.
    if (entry.isFile()) files.push(path.relative('', path.join(entry.parentPath, entry.name)))
  }
  const hash = createHash('sha256')
  for (const file of files.toSorted((a, b) => (a < b ? -1 : 1))) hash.update(`${file}\0`).update(await readFile(file))
  return hash.digest('hex')
}
