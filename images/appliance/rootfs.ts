import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { addEntry, type RootTree } from './cpio.ts'
import { readElfNeeds } from './elf.ts'
import { addModules } from './modules.ts'
import { PROGRAMS, TERMINALS } from './recipe.ts'
import { BuildError, run } from './run.ts'

const LIBRARY_FOLDERS = ['lib/x86_64-linux-gnu', 'usr/lib/x86_64-linux-gnu', 'lib64']
const EMPTY_FOLDERS = [
  'dev',
  'proc',
  'sys',
  'run',
  'tmp',
  'data',
  'mnt',
  'etc/vr',
  'etc/dropbear',
  'var/log',
  'var/lib',
]

/** Puts the guest's root together from unpacked packages and from our own files in `guestFolder`. */
export async function composeRoot(packageRoot: string, guestFolder: string): Promise<RootTree> {
  const tree: RootTree = new Map()
  for (const folder of EMPTY_FOLDERS) addEntry(tree, folder, { kind: 'directory', mode: 0o755 })
  addEntry(tree, 'root', { kind: 'directory', mode: 0o700 })
  addEntry(tree, 'root/.ssh', { kind: 'directory', mode: 0o700 })
  addEntry(tree, 'root/.ssh/authorized_keys', { kind: 'link', target: '/etc/vr/authorized_keys' })
  addEntry(tree, 'var/run', { kind: 'link', target: '/run' })
  await addBusybox(tree, packageRoot)
  for (const [from, to] of Object.entries(PROGRAMS)) await addProgram(tree, packageRoot, from, to)
  for (const path of TERMINALS) await addFile(tree, packageRoot, path, path, 0o644)
  await addModules(tree, packageRoot)
  await addOwnFiles(tree, guestFolder)
  // The kernel starts /init; busybox becomes PID 1 by that name and reads /etc/inittab.
  addEntry(tree, 'init', { kind: 'link', target: 'bin/busybox' })
  return tree
}

async function addBusybox(tree: RootTree, packageRoot: string): Promise<void> {
  await addFile(tree, packageRoot, 'bin/busybox', 'bin/busybox', 0o755)
  const applets = await run(join(packageRoot, 'bin/busybox'), ['--list'])
  const taken = new Set(Object.values(PROGRAMS).map((path) => basename(path)))
  for (const applet of applets.split('\n').filter((name) => name !== '' && name !== 'busybox' && !taken.has(name)))
    addEntry(tree, `bin/${applet}`, { kind: 'link', target: 'busybox' })
}

async function addProgram(tree: RootTree, packageRoot: string, from: string, to: string): Promise<void> {
  const content = await addFile(tree, packageRoot, from, to, 0o755)
  await addLibraries(tree, packageRoot, from, content)
}

async function addLibraries(tree: RootTree, packageRoot: string, of: string, content: Buffer): Promise<void> {
  const needs = readElfNeeds(content)
  const wanted = needs.libraries.map((name) => `lib/x86_64-linux-gnu/${name}`)
  if (needs.interpreter !== null) wanted.push(needs.interpreter.slice(1))
  for (const path of wanted) {
    if (tree.has(path)) continue
    const found = await findLibrary(packageRoot, basename(path))
    if (found === null)
      throw new BuildError(
        `${of} needs ${basename(path)}, which is in none of the packages: add its package to recipe.ts`,
      )
    const library = await readFile(found)
    addEntry(tree, path, { kind: 'file', mode: 0o755, content: library })
    await addLibraries(tree, packageRoot, path, library)
  }
}

async function findLibrary(packageRoot: string, name: string): Promise<string | null> {
  for (const folder of LIBRARY_FOLDERS) {
    const path = await realpath(join(packageRoot, folder, name)).catch(() => null)
    if (path !== null && !relative(packageRoot, path).startsWith('..')) return path
  }
  return null
}

async function addFile(tree: RootTree, packageRoot: string, from: string, to: string, mode: number): Promise<Buffer> {
  // Releases with merged /usr ship under usr/ what older ones ship at the top.
  for (const path of [join(packageRoot, from), join(packageRoot, 'usr', from)]) {
    const content = await readFile(path).catch(() => null)
    if (content === null) continue
    addEntry(tree, to, { kind: 'file', mode, content })
    return content
  }
  throw new BuildError(`no package brings ${from}: Debian may have moved it, correct recipe.ts`)
}

async function addOwnFiles(tree: RootTree, guestFolder: string): Promise<void> {
  for (const entry of await readdir(guestFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const { mode } = await stat(file)
    const path = relative(guestFolder, file)
    addEntry(tree, path, { kind: 'file', mode: (mode & 0o100) === 0 ? 0o644 : 0o755, content: await readFile(file) })
  }
}
