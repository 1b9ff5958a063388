/** Prepares the machine for the product: system packages, `/dev/kvm`, libvirtd. */
import { findMissing, hasApt, install } from './system/packages.ts'
import { PRODUCT, TESTS, type Requirement } from './system/requirements.ts'

export { ensureLibvirtd, LIBVIRT_SOCKET, type Libvirtd } from './system/libvirtd.ts'
export { openKvmDevice } from './system/kvm.ts'

export interface SystemReport {
  /** What is still missing, by the names of Debian's packages. */
  readonly missing: readonly string[]
  /** For a person: why it is missing, and the command that would install it. Undefined when nothing is missing. */
  readonly advice: string | undefined
}

export interface SystemOptions {
  /** Whether to include what only the tests need. */
  readonly forTests?: boolean
  readonly say?: (line: string) => void
}

/**
 * Installs what is missing where it may (root on Debian, unless LONGHAUL_SYSTEM=skip) and reports what it could not.
 * Never throws for a missing package: parts that need it report it, and the rest works.
 */
export async function ensureSystem(options: SystemOptions = {}): Promise<SystemReport> {
  const say = options.say ?? ((line) => process.stderr.write(`${line}\n`))
  const wanted = options.forTests ? [...PRODUCT, ...TESTS] : PRODUCT
  const missing = await findMissing(wanted)
  if (missing.requirements.length === 0) return { missing: [], advice: undefined }
  const names = missing.requirements.map((requirement) => requirement.package)

  const reason = await whyNot()
  if (reason) return { missing: names, advice: adviseOn(missing.requirements, reason, missing.command) }

  say(
    `Installing ${names.length} packages of the system (${names.join(', ')}). This takes a minute or two, once; LONGHAUL_SYSTEM=skip leaves it out ...`,
  )
  const began = performance.now()
  try {
    await install(missing.requirements)
  } catch (error) {
    const still = await findMissing(missing.requirements)
    const left = still.requirements.map((requirement) => requirement.package)
    return { missing: left, advice: adviseOn(still.requirements, (error as Error).message, still.command) }
  }
  say(`Installed in ${Math.round((performance.now() - began) / 1000)} s.`)
  return { missing: [], advice: undefined }
}

async function whyNot(): Promise<string | undefined> {
  if (process.env['LONGHAUL_SYSTEM'] === 'skip') return 'LONGHAUL_SYSTEM=skip is set.'
  if (!(await hasApt())) return 'This system has no apt-get.'
  if (process.getuid?.() !== 0) return 'Only root may install them.'
  return undefined
}

function adviseOn(missing: readonly Requirement[], reason: string, command: string | undefined): string {
  const list = missing.map((requirement) => `  ${requirement.package} ${requirement.purpose}`).join('\n')
  const how = command ? `Run: ${command}` : 'Install them with the package manager of this system.'
  return `Missing packages of the system:\n${list}\n${reason} ${how}`
}
