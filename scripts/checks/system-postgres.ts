/** Runs a server of the oldest PostgreSQL installed on the system. It exists only for the run. */
import { execFile } from 'node:child_process'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Where Debian puts the servers, one folder for each major version. */
const SERVERS = '/usr/lib/postgresql'

export interface SystemPostgres {
  readonly version: string
  /** The folder of its programs: pg_dump, psql, … */
  readonly bin: string
  readonly identity: { readonly uid?: number; readonly gid?: number }
}

/** Returns a sentence that says why there is none, if so. */
export async function findSystemPostgres(): Promise<SystemPostgres | string> {
  const [version] = (await readdir(SERVERS).catch(() => [])).toSorted((a, b) => Number(a) - Number(b))
  if (version === undefined) return 'there is none: apt-get install postgresql'
  const identity = await serverIdentity()
  if (identity === null) return 'PostgreSQL does not run as root, and there is no user postgres'
  return { version, bin: path.join(SERVERS, version, 'bin'), identity }
}

/** `settings` are those of the server. Without a TCP port it only listens on a socket in the folder. */
export async function withSystemPostgres<T>(
  { bin, identity }: SystemPostgres,
  settings: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-postgres-'))
  if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid!)
  const data = path.join(folder, 'data')
  const options = { ...identity, cwd: '/' }
  try {
    await run(path.join(bin, 'initdb'), ['-D', data, '-U', 'tests', '-A', 'trust', '-E', 'UTF8', '--locale=C'], options)
    // Its output must not be our pipe: the server would keep it open.
    const log = path.join(folder, 'log')
    const all = `-k ${folder} ${settings}`
    await run(path.join(bin, 'pg_ctl'), ['-D', data, '-w', '-l', log, '-o', all, 'start'], options)
    return await work(folder)
  } finally {
    await run(path.join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], options).catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
}

/** PostgreSQL rejects root; as any other user it runs as ourselves. */
async function serverIdentity(): Promise<SystemPostgres['identity'] | null> {
  if (userInfo().uid !== 0) return {}
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
    )
    return { uid: uid!, gid: gid! }
  } catch {
    return null
  }
}
