/**
 * The portal and the account to use: from the environment, else from the file that `longhaul login` wrote to the user's
 * settings folder, which only the user can read.
 */
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { isIP } from 'node:net'
import { z } from 'zod'
import { CommandError } from '../command.ts'

export interface Account {
  /** Without a trailing slash. */
  readonly url: string
  readonly token: string
}

const kept = z.object({ url: z.string(), token: z.string() })

export async function readAccount(env: NodeJS.ProcessEnv): Promise<Account> {
  const { LONGHAUL_URL: url, LONGHAUL_TOKEN: token } = env
  if (url && token) return { url: portalAddress(url), token: bearer(token) }
  const file = accountFile(env)
  const stored = await readStored(file)
  if (!stored)
    throw new CommandError('Sign in first: longhaul login --url https://…, or set LONGHAUL_URL and LONGHAUL_TOKEN.')
  return { url: portalAddress(url ?? stored.url), token: bearer(token ?? tokenFor(url, stored)) }
}

export async function saveAccount(env: NodeJS.ProcessEnv, account: Account): Promise<string> {
  const file = accountFile(env)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, `${JSON.stringify(account, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await chmod(fresh, 0o600)
  await rename(fresh, file)
  return file
}

/** Returns whether there was one. */
export async function removeAccount(env: NodeJS.ProcessEnv): Promise<boolean> {
  const file = accountFile(env)
  const there = (await readStored(file).catch(() => null)) !== null
  await rm(file, { force: true })
  return there
}

/** A token is as valuable as a password: it is sent unencrypted to this machine only. */
export function portalAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const { hostname = '' } = url ?? {}
  const host = hostname.replaceAll(/[[\]]/g, '')
  const own = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && own)) || url.username || url.password) {
    throw new CommandError(`LONGHAUL_URL: got ${JSON.stringify(text)}, takes the https:// address of the portal`)
  }
  return url.origin
}

export function bearer(text: string): string {
  const token = text.trim()
  if (/^lht_[\w-]{20,200}$/.test(token)) return token
  throw new CommandError(
    'LONGHAUL_TOKEN: takes a token of the portal, which begins with lht_ (Settings, Keys and tokens)',
  )
}

/** A token that was stored for one portal is never sent to another. */
function tokenFor(url: string | undefined, stored: Account): string {
  if (url === undefined || portalAddress(url) === stored.url) return stored.token
  throw new CommandError(
    `You are signed in at ${stored.url}, not at ${url}: set LONGHAUL_TOKEN as well, or sign in there.`,
  )
}

const accountFile = ({ XDG_CONFIG_HOME, HOME }: NodeJS.ProcessEnv): string =>
  path.join(XDG_CONFIG_HOME || path.join(HOME || homedir(), '.config'), 'longhaul', 'account.json')

async function readStored(file: string): Promise<Account | null> {
  try {
    const { mode } = await stat(file)
    if ((mode & 0o077) !== 0) throw new CommandError(`${file} can be read by others: chmod 600 it, or sign in again.`)
    return kept.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    if (error instanceof CommandError) throw error
    throw new CommandError(`${file} cannot be read: sign in again.`)
  }
}
