import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { KERNEL_METAPACKAGE, PACKAGES } from './recipe.ts'
import { BuildError, run } from './run.ts'

/** `package=version`, sorted: what apt would install now. */
export type PinnedPackages = readonly string[]

/** Libraries only: the programs of dependencies (debconf, perl, …) serve package installation, not a running router. */
const LIBRARY = /^(lib[a-z0-9.+-]+|zlib1g)$/

/** Asks apt for the kernel, the packages of the recipe and the closure of their libraries, each with its version. */
export async function pinPackages(): Promise<PinnedPackages> {
  const kernel = await resolveKernel()
  const names = new Set<string>([kernel, ...PACKAGES, ...(await closeOverLibraries())])
  const shown = await run('apt-cache', ['show', '--no-all-versions', ...names])
  const versions = new Map<string, string>()
  for (const stanza of shown.split('\n\n')) {
    const name = /^Package: (.+)$/m.exec(stanza)?.[1]
    const version = /^Version: (.+)$/m.exec(stanza)?.[1]
    if (name !== undefined && version !== undefined) versions.set(name, version)
  }
  for (const name of [kernel, ...PACKAGES])
    if (!versions.has(name))
      throw new BuildError(`apt knows no package ${name}: run apt-get update, or add Debian's main archive`)
  return [...versions].map(([name, version]) => `${name}=${version}`).sort()
}

export async function downloadPackages(packages: PinnedPackages, folder: string): Promise<string[]> {
  // Root's downloads are otherwise handed to a sandbox user that may not enter the folder, which only makes a warning.
  await run('apt-get', ['download', '-q', '-o', 'APT::Sandbox::User=root', ...packages], {
    cwd: folder,
    deadlineMs: 300_000,
  })
  const files = (await readdir(folder)).filter((file) => file.endsWith('.deb'))
  if (files.length < packages.length)
    throw new BuildError(
      `apt fetched ${files.length} of ${packages.length} packages: check the connection and try again`,
    )
  return files.map((file) => join(folder, file))
}

export async function unpackPackages(files: readonly string[], root: string): Promise<void> {
  const queue = [...files]
  const work = async () => {
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) await run('dpkg-deb', ['-x', file, root])
  }
  // The kernel is two thirds of all bytes, so two workers finish together.
  await Promise.all([work(), work()])
}

async function resolveKernel(): Promise<string> {
  const depends = await run('apt-cache', ['depends', '--important', KERNEL_METAPACKAGE])
  const kernel = /Depends: (linux-image-\S+)/.exec(depends)?.[1]
  if (kernel === undefined)
    throw new BuildError(
      `apt knows no ${KERNEL_METAPACKAGE}: run apt-get update; the appliance is built on Debian, amd64`,
    )
  return kernel
}

async function closeOverLibraries(): Promise<string[]> {
  const only = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((kind) => `--no-${kind}`)
  const closure = await run('apt-cache', ['depends', '--recurse', ...only, ...PACKAGES])
  return [...new Set(closure.split('\n').filter((line) => LIBRARY.test(line)))]
}
