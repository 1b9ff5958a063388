/** Chooses the folder of the embedded database: DATA_DIR, unless the server's user cannot enter it. */
import { createHash, randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { EmbeddedFailure } from './failure.ts'
import { shutDown } from './postmaster.ts'
import { chooseServerUser, isRoot, ownerOf, runAs, type ServerUser } from './server-user.ts'

export interface Location {
  /** Owned by the server's user alone: cluster, log and socket. */
  readonly folder: string
  readonly cluster: string
  readonly user: ServerUser | undefined
  /** A folder for copies of PostgreSQL's programs. */
  readonly programs: string
  /** Twelve hex characters that distinguish this database's processes and folders from another's. */
  readonly mark: string
}

export const SYSTEM_FOLDER = '/var/lib/longhaul'

const pointerShape = z.object({ folder: z.string(), id: z.string() })
type Pointer = z.infer<typeof pointerShape>

/** Call with the lock held: it creates folders. `systemFolder` is an argument for tests. */
export async function locate(dataDir: string, systemFolder = SYSTEM_FOLDER): Promise<Location> {
  await mkdir(dataDir, { recursive: true })
  const home = await realpath(dataDir)
  const mark = createHash('sha256').update(home).digest('hex').slice(0, 12)
  const at = (folder: string, user: ServerUser | undefined): Location => ({
    folder,
    cluster: path.join(folder, 'cluster'),
    user,
    programs: isRoot() ? systemFolder : home,
    mark,
  })

  const pointer = await readPointer(home)
  if (pointer) return at(pointer.folder, await ownerOf(await follow(pointer, home)))

  const inside = path.join(home, 'database')
  if (await exists(path.join(inside, 'cluster'))) {
    const user = await ownerOf(inside)
    await requireReachable(inside, user)
    return at(inside, user)
  }
  const user = await chooseServerUser()
  if (user) await letThrough(home, user)
  await makePrivate(inside, user)
  if (await mayEnter(inside, user)) return at(inside, user)
  if (!user) await requireReachable(inside, user)
  // It contains no cluster: at most the remains of a killed first start.
  await rm(inside, { recursive: true })
  return at(await resolveExternal(home, path.join(systemFolder, mark), user), user)
}

/** Returns whether this DATA_DIR has a database, inside or elsewhere. Creates nothing. */
export const hasDatabase = async (dataDir: string): Promise<boolean> =>
  (await exists(pointerFile(dataDir))) || (await exists(path.join(dataDir, 'database', 'cluster')))

async function makePrivate(folder: string, user: ServerUser | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (user) await chown(folder, user.uid, user.gid)
  await chmod(folder, 0o700).catch(() => undefined)
}

/**
 * A DATA_DIR that only root may enter is ours to open, as little as possible: its group becomes the server's, which may
 * enter but not list it. The folders above it are not ours to change.
 */
async function letThrough(home: string, user: ServerUser): Promise<void> {
  const { uid, mode } = await stat(home)
  if (uid !== 0 || (mode & 0o077) !== 0) return
  await chown(home, uid, user.gid)
  await chmod(home, (mode & 0o777) | 0o010)
}

/** Asks the system, as that user: modes, access lists and mounts all count. */
const mayEnter = async (folder: string, user: ServerUser | undefined): Promise<boolean> =>
  (await runAs(user, 'test', ['-w', folder, '-a', '-x', folder])).ok

async function requireReachable(folder: string, user: ServerUser | undefined): Promise<void> {
  if (await mayEnter(folder, user)) return
  const owner = (await stat(folder)).uid
  throw new EmbeddedFailure(
    user
      ? `The user ${user.name}, who runs the database, may no longer go to ${folder}. Let it pass (chmod o+x) on every folder above.`
      : `${folder} belongs to the user with the id ${owner}. Start as that user or as root, or set DATA_DIR to another folder.`,
  )
}

const pointerFile = (home: string): string => path.join(home, 'database.location')
const idFile = (folder: string): string => path.join(folder, 'id')

async function readPointer(home: string): Promise<Pointer | undefined> {
  const text = await readFile(pointerFile(home), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return pointerShape.parse(JSON.parse(text))
  } catch {
    throw new EmbeddedFailure(`${pointerFile(home)} cannot be read. Restore it, or delete ${home} to start afresh.`)
  }
}

async function follow(pointer: Pointer, home: string): Promise<string> {
  const id = await readFile(idFile(pointer.folder), 'utf8').catch(() => undefined)
  if (id !== pointer.id) {
    throw new EmbeddedFailure(
      `${pointerFile(home)} says that the database is in ${pointer.folder}, and it is not. Restore that folder, or delete ${home} to start afresh.`,
    )
  }
  return pointer.folder
}

/**
 * Deleting DATA_DIR is a factory reset. Data here that DATA_DIR does not name therefore belonged to a deleted one. It
 * is moved aside, once, and not deleted: a DATA_DIR that is only not mounted must not cost the database.
 */
async function resolveExternal(home: string, folder: string, user: ServerUser | undefined): Promise<string> {
  if (await exists(folder)) {
    await shutDown(path.join(folder, 'cluster'))
    await rm(`${folder}.discarded`, { recursive: true, force: true })
    await rename(folder, `${folder}.discarded`)
  }
  await mkdir(path.dirname(folder), { recursive: true, mode: 0o755 })
  await makePrivate(folder, user)
  await requireReachable(folder, user)
  const pointer: Pointer = { folder, id: randomUUID() }
  await writeFile(idFile(folder), pointer.id)
  await writeFile(`${pointerFile(home)}.new`, JSON.stringify(pointer))
  await rename(`${pointerFile(home)}.new`, pointerFile(home))
  return folder
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )
