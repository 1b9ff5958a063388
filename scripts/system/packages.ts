/**
 * Finds the missing system packages, and installs them: by apt-get as root on Debian, else by a command for a person.
 */
import { execFile } from 'node:child_process'
import { access, constants, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Requirement } from './requirements.ts'

const run = promisify(execFile)

export interface Missing {
  readonly requirements: readonly Requirement[]
  /** For a person to run; undefined where there is no apt-get. */
  readonly command: string | undefined
}

export async function findMissing(requirements: readonly Requirement[]): Promise<Missing> {
  const debian = await hasApt()
  const present = await Promise.all(requirements.map(debian ? isPackageInstalled : hasProgram))
  const missing = requirements.filter((_, index) => !present[index])
  const names = missing.map((requirement) => requirement.package).join(' ')
  return {
    requirements: missing,
    command: debian ? `sudo apt-get install --no-install-recommends ${names}` : undefined,
  }
}

export const hasApt = async (): Promise<boolean> =>
  (await findProgram('apt-get')) !== undefined && (await findProgram('dpkg-query')) !== undefined

async function isPackageInstalled(requirement: Requirement): Promise<boolean> {
  const answer = await run('dpkg-query', ['--show', '--showformat=${db:Status-Status}', requirement.package]).catch(
    () => undefined,
  )
  return answer?.stdout === 'installed'
}

async function hasProgram(requirement: Requirement): Promise<boolean> {
  if (requirement.programs.length === 0) return true
  return (await Promise.all(requirement.programs.map(findProgram))).some(Boolean)
}

/** Also looks where the system keeps its own programs, which a user's PATH often lacks. */
export async function findProgram(name: string): Promise<string | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/sbin'].filter(Boolean)
  for (const folder of folders) {
    const file = path.join(folder, name)
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file
  }
  return undefined
}

const APT_OPTIONS = [
  '--yes',
  '--quiet',
  '--no-install-recommends',
  // Waits for another apt-get, such as unattended upgrades.
  '--option=DPkg::Lock::Timeout=300',
  // Keeps an operator's configuration and asks no questions.
  '--option=Dpkg::Options::=--force-confdef',
  '--option=Dpkg::Options::=--force-confold',
]

/** Needs root on Debian. Throws with the last lines of apt-get. */
export async function install(requirements: readonly Requirement[]): Promise<void> {
  const names = requirements.map((requirement) => requirement.package)
  if (await areListsEmpty()) await aptGet(['update'])
  await withoutStartingServices(async () => {
    try {
      await aptGet(['install', ...APT_OPTIONS, ...names])
    } catch {
      // Most likely the lists name versions that the mirror no longer has.
      await aptGet(['update'])
      await aptGet(['install', ...APT_OPTIONS, ...names])
    }
  })
  for (const [name, service] of SERVICES) if (names.includes(name)) await disableService(service)
}

/** Services that Debian would start at the next boot. */
const SERVICES = [
  ['bird2', 'bird'],
  ['nginx-light', 'nginx'],
  ['caddy', 'caddy'],
  ['frr', 'frr'],
  ['gobgpd', 'gobgpd'],
  ['openbgpd', 'openbgpd'],
] as const

async function aptGet(args: readonly string[]): Promise<void> {
  try {
    await run('apt-get', args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
      timeout: 900_000,
      maxBuffer: 64 << 20,
    })
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    const words = (stderr.trim() || message).split('\n').slice(-5).join('\n')
    throw new Error(`apt-get ${args[0]} failed:\n${words}`, { cause: error })
  }
}

/** As in the images that containers start from. */
const areListsEmpty = async (): Promise<boolean> =>
  !(await readdir('/var/lib/apt/lists').catch(() => [])).some((name) => name.includes('_Packages'))

const POLICY = '/usr/sbin/policy-rc.d'
const POLICY_TEXT =
  '#!/bin/sh\n# Written by Longhaul while it installs packages: none of them starts a service by itself.\nexit 101\n'

/**
 * Debian starts what it installs, such as a BGP speaker or a DHCP server. This file is Debian's own switch against
 * that; one that already exists (in containers) is kept. A killed run leaves ours behind, and the next run removes it.
 */
async function withoutStartingServices(work: () => Promise<void>): Promise<void> {
  const existing = await readFile(POLICY, 'utf8').catch(() => undefined)
  const ours = existing === undefined || existing === POLICY_TEXT
  if (ours) await writeFile(POLICY, POLICY_TEXT, { mode: 0o755 })
  try {
    await work()
  } finally {
    if (ours) await rm(POLICY, { force: true })
  }
}

/** We start them with our own configuration; Debian's would start at the next boot. */
async function disableService(name: string): Promise<void> {
  await run('update-rc.d', [name, 'disable']).catch(() => undefined)
  await run('systemctl', ['disable', `${name}.service`]).catch(() => undefined)
}
