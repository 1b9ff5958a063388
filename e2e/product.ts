/** Starts the product as a person would, `npm start` in a separate data folder, and ends it with everything it made. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { removeInstallation } from '../scripts/uninstall.ts'
import { instanceOf } from '../src/platform/config.ts'

const ROOT = path.join(import.meta.dirname, '..')
export const DEMO_PASSWORD = 'a long word for the tests'
/** A cold start: system packages, the router image, a new database. */
const READY_WITHIN_MS = 240_000

/** The settings of `npm start`, and a release that does not change with every commit. */
const AS_BOOTSTRAP = {
  NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules', '.cache', 'compile'),
  RELEASE: 'e2e',
}

export interface Product {
  readonly url: string
  readonly dataDir: string
  /** Milliseconds from the command to the ready line. */
  readonly readyMs: number
  readonly health: { compute: string; edge: string }
  /** The process that was started. */
  readonly pid: number
  /** Its lines on standard error so far. */
  readonly said: readonly string[]
  /** Returns the id of the server process, which the started process runs and replaces; null while there is none. */
  serverPid(): Promise<number | null>
  /** Returns the newest message to this address whose text matches; waits up to `withinMs`. */
  mail(to: string, pattern: RegExp, withinMs?: number): Promise<Email>
  /** Asks it to end. */
  stop(): Promise<void>
  /** Null while it runs, and when a signal ended it. */
  exitCode(): number | null
  /** SIGKILL, as in a power cut: nothing is cleaned up, and `dataDir` stays. */
  kill(): Promise<void>
}

export interface StartOptions {
  /** A folder that the caller keeps; otherwise a new one, which is removed with the product. */
  readonly dataDir?: string
  /** A checkout other than this one. */
  readonly root?: string
  /** Prepended to the command, for example `taskset -c 0,1`. */
  readonly prefix?: readonly string[]
}

export async function startProduct(env: Record<string, string> = {}, options: StartOptions = {}): Promise<Product> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'longhaul-e2e-')))
  const forget = async (): Promise<void> => {
    if (options.dataDir !== undefined || process.env['E2E_KEEP'] !== undefined) return
    // libvirt owns the machines and their disks: removing only the folder would leave them behind.
    await removeInstallation({ DATA_DIR: dataDir, instance: instanceOf(dataDir) })
    await rm(dataDir, { recursive: true, force: true })
  }
  const began = performance.now()
  const checkout = options.root ?? ROOT
  const [program, ...args] = [...(options.prefix ?? []), nodeOf(checkout), 'scripts/start.ts']
  const child = spawn(program!, args, {
    cwd: checkout,
    env: { ...process.env, ...AS_BOOTSTRAP, DATA_DIR: dataDir, PORT: '0', DEMO_PASSWORD, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line))
  try {
    const url = await readyLine(child, said)
    const readyMs = Math.round(performance.now() - began)
    const health = (await (await fetch(`${url}/api/health`)).json()) as Product['health']
    return {
      url,
      dataDir,
      readyMs,
      health,
      pid: child.pid!,
      said,
      serverPid: () => findServer(child.pid!),
      mail: (to, pattern, withinMs = 10_000) => waitForMail(path.join(dataDir, 'mail'), to, pattern, withinMs),
      stop: async () => {
        await end(child)
        await forget()
        if (said.length > 0) process.stderr.write(`--- the server said\n${said.slice(-60).join('\n')}\n---\n`)
      },
      exitCode: () => child.exitCode,
      kill: async () => {
        const gone = once(child, 'exit')
        child.kill('SIGKILL')
        await gone
      },
    }
  } catch (error) {
    await end(child)
    await forget()
    throw error
  }
}

/** A copy of the checkout brings its own Node: another user may be unable to enter ours. */
function nodeOf(checkout: string): string {
  const inPackages = path.relative(realpathSync(path.join(ROOT, 'node_modules')), process.execPath)
  return inPackages.startsWith('..') ? process.execPath : path.join(checkout, 'node_modules', inPackages)
}

/** Returns the child of that process that runs the server. */
async function findServer(parent: number): Promise<number | null> {
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8').catch(() => '')
  for (const pid of children.split(' ').filter(Boolean)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.split('\0').includes('src/main/server.ts')) return Number(pid)
  }
  return null
}

async function readyLine(child: ChildProcess, said: string[]): Promise<string> {
  const lines = createInterface({ input: child.stdout! })
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`the product ended with ${String(code)} before it was ready:\n${said.join('\n')}`)
  })
  gone.catch(() => undefined)
  const late = sleep(READY_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new Error(`the product was not ready in ${READY_WITHIN_MS / 1000} s:\n${said.join('\n')}`)
  })
  late.catch(() => undefined)
  const [line] = (await Promise.race([once(lines, 'line'), gone, late])) as [string]
  const address = /^ready (http:\/\/\S+)$/.exec(line)?.[1]
  if (!address) throw new Error(`expected the ready line, got: ${line}`)
  return address
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 60_000)
  await gone
  clearTimeout(force)
}

/** Returns the newest message of a mail folder, see {@link Product.mail}. */
export async function waitForMail(
  folder: string,
  to: string,
  pattern: RegExp,
  withinMs: number,
  earlier: readonly string[] = [],
): Promise<Email> {
  const until = performance.now() + withinMs
  for (;;) {
    const found = await newestMail(folder, to, pattern, earlier)
    if (found) return found
    if (performance.now() > until)
      throw new Error(`no mail to ${to} that matches ${String(pattern)} within ${withinMs} ms`)
    await sleep(50)
  }
}

/** The files of a mail folder. */
export const listMails = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))

async function newestMail(
  folder: string,
  to: string,
  pattern: RegExp,
  earlier: readonly string[],
): Promise<Email | null> {
  const names = (await listMails(folder)).filter((name) => !earlier.includes(name))
  const mails = await Promise.all(
    names.map(async (name) => new PostalMime().parse(await readFile(path.join(folder, name)))),
  )
  const fitting = mails.filter(
    (mail) => mail.to?.some((address) => address.address === to) && pattern.test(mail.text ?? ''),
  )
  return fitting.toSorted((a, b) => Date.parse(b.date ?? '') - Date.parse(a.date ?? ''))[0] ?? null
}

/** Returns the first link in a message that leads to this path of the portal, as a path. */
export function linkIn(mail: Email, pathname: string): string {
  for (const match of (mail.text ?? '').matchAll(/https?:\/\/\S+/g)) {
    const url = new URL(match[0])
    if (url.pathname === pathname) return url.pathname + url.search
  }
  throw new Error(`the mail "${mail.subject ?? ''}" has no link to ${pathname}:\n${mail.text ?? ''}`)
}
