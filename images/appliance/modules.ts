import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { addEntry, type RootTree } from './cpio.ts'
import { MODULES } from './recipe.ts'
import { BuildError, run } from './run.ts'

/** Copies the recipe's kernel modules with their dependencies, and the tables from which modprobe finds them. */
export async function addModules(tree: RootTree, packageRoot: string): Promise<void> {
  const [version] = await readdir(join(packageRoot, 'lib/modules'))
  if (version === undefined) throw new BuildError('the kernel package holds no modules')
  await run('depmod', ['-b', packageRoot, version])
  const folder = join('lib/modules', version)
  const dependencies = parseDependencies(await readFile(join(packageRoot, folder, 'modules.dep'), 'utf8'))
  const chosen = chooseModules(dependencies)
  for (const path of chosen)
    addEntry(tree, join(folder, path), {
      kind: 'file',
      mode: 0o644,
      content: await readFile(join(packageRoot, folder, path)),
    })
  const names = new Set([...chosen].map(moduleName))
  const dep = [...chosen].map((path) => `${path}: ${(dependencies.get(path) ?? []).join(' ')}`.trimEnd()).join('\n')
  addEntry(tree, join(folder, 'modules.dep'), { kind: 'file', mode: 0o644, content: Buffer.from(`${dep}\n`) })
  for (const table of ['modules.alias', 'modules.symbols']) {
    const lines = (await readFile(join(packageRoot, folder, table), 'utf8')).split('\n')
    const kept = lines.filter((line) => names.has(line.slice(line.lastIndexOf(' ') + 1)))
    addEntry(tree, join(folder, table), { kind: 'file', mode: 0o644, content: Buffer.from(`${kept.join('\n')}\n`) })
  }
  const builtin = await readFile(join(packageRoot, folder, 'modules.builtin'))
  addEntry(tree, join(folder, 'modules.builtin'), { kind: 'file', mode: 0o644, content: builtin })
}

function parseDependencies(text: string): Map<string, string[]> {
  const dependencies = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [path, rest] = line.split(':')
    if (path) dependencies.set(path, rest?.trim() ? rest.trim().split(' ') : [])
  }
  return dependencies
}

function chooseModules(dependencies: ReadonlyMap<string, readonly string[]>): Set<string> {
  const byName = new Map([...dependencies.keys()].map((path) => [moduleName(path), path]))
  const chosen = new Set<string>()
  for (const name of MODULES) {
    // Absent means built into this kernel, or gone from it: what the guest cannot do without fails its boot test.
    const path = byName.get(name.replaceAll('-', '_'))
    if (path === undefined) continue
    chosen.add(path)
    for (const needed of dependencies.get(path) ?? []) chosen.add(needed)
  }
  return chosen
}

function moduleName(path: string): string {
  return basename(path)
    .replace(/\.ko.*$/, '')
    .replaceAll('-', '_')
}
