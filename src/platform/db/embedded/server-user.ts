/** PostgreSQL refuses to run as root, so as root we run it as a user with fewer rights. */
import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { EmbeddedFailure } from './failure.ts'

/** Undefined means the user of this process. */
export interface ServerUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

export const isRoot = (): boolean => process.getuid?.() === 0

/** `nobody` last: other services that run as nobody could read its files. */
const CANDIDATES = ['postgres', '_postgres', 'nobody']

/** The system user of a new cluster. */
export async function chooseServerUser(): Promise<ServerUser | undefined> {
  if (!isRoot()) return undefined
  const users = await readUsers()
  const user = CANDIDATES.map((name) => users.find((candidate) => candidate.name === name)).find(Boolean)
  if (!user) {
    throw new EmbeddedFailure(
      'PostgreSQL does not run as root, and there is no user postgres or nobody. Add one: useradd --system postgres',
    )
  }
  return user
}

/** Returns the system user of an existing cluster: its owner, even if a preferred user was added later. */
export async function ownerOf(folder: string): Promise<ServerUser | undefined> {
  const { uid, gid } = await stat(folder)
  if (!isRoot()) return undefined
  if (uid === 0) return chooseServerUser()
  const name = (await readUsers()).find((user) => user.uid === uid)?.name ?? String(uid)
  return { name, uid, gid }
}

async function readUsers(): Promise<ServerUser[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}

export interface Outcome {
  readonly ok: boolean
  readonly output: string
}

/** Runs a program to its end as that user, outside our folders and without our environment. */
export function runAs(user: ServerUser | undefined, program: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { ...identity(user), cwd: '/', env: serverEnvironment(), timeout: 120_000, maxBuffer: 4 << 20 },
      (error, stdout, stderr) => {
        const words = [stdout, stderr, error && 'code' in error && typeof error.code === 'string' ? error.message : '']
        resolve({ ok: !error, output: words.filter(Boolean).join('\n') })
      },
    )
  })
}

export const identity = (user: ServerUser | undefined): { uid?: number; gid?: number } =>
  user ? { uid: user.uid, gid: user.gid } : {}

/** Gives the same messages, times and sort orders whatever this process's environment is. */
export const serverEnvironment = (): NodeJS.ProcessEnv => ({
  LC_ALL: 'C',
  TZ: 'UTC',
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
})
