import { mkdir, open, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GENERATION_FILE } from './render.ts'

export type Slot = 'a' | 'b'
export type Files = ReadonlyMap<string, string>

/** Readable by BIRD's group and nobody else: the files hold TCP MD5 secrets. The group comes from the setgid bit of the directory above. */
const FILE_MODE = 0o640
const DIRECTORY_MODE = 0o750
const FILES_AT_ONCE = 32

/**
 * Two whole configurations side by side, `a` and `b`, and a link `live` to the one that bird.conf includes. A change is
 * written beside the live one and taken in by turning the link, so that BIRD reads all of a state or nothing of it,
 * whenever the writer dies; the state before it stays on disk until the next change. `confirmed` names the last
 * generation that was looked at and found good.
 */
export class ConfigSlots {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  async live(): Promise<Slot | null> {
    const target = await absentAsNull(readlink(join(this.#directory, 'live')))
    return target === 'a' || target === 'b' ? target : null
  }

  /** The slot that holds this generation in full. */
  async holding(generation: string | null): Promise<Slot | null> {
    for (const slot of ['a', 'b'] as const) {
      const text = await absentAsNull(readFile(join(this.#directory, slot, GENERATION_FILE), 'utf8'))
      if (generation !== null && text?.includes(`"${generation}"`)) return slot
    }
    return null
  }

  async read(slot: Slot): Promise<Files> {
    const root = join(this.#directory, slot)
    const paths = await listFiles(root)
    return new Map(await inBatches(paths, async (path) => [path, await readFile(join(root, path), 'utf8')] as const))
  }

  /** Makes a slot hold exactly these files. The generation goes first and comes back last: without it BIRD refuses the slot. */
  async write(slot: Slot, files: Files): Promise<void> {
    const root = join(this.#directory, slot)
    await mkdir(join(root, 'customers'), { recursive: true, mode: DIRECTORY_MODE })
    await rm(join(root, GENERATION_FILE), { force: true })
    const present = await this.read(slot)
    for (const path of present.keys()) if (!files.has(path)) await rm(join(root, path))
    const changed = [...files].filter(([path, content]) => path !== GENERATION_FILE && present.get(path) !== content)
    await inBatches(changed, ([path, content]) => writeDurably(join(root, path), content))
    await syncDirectory(join(root, 'customers'))
    await writeDurably(join(root, GENERATION_FILE), files.get(GENERATION_FILE)!)
    await syncDirectory(root)
  }

  async activate(slot: Slot): Promise<void> {
    const link = join(this.#directory, 'live.tmp')
    await rm(link, { force: true })
    await symlink(slot, link)
    await rename(link, join(this.#directory, 'live'))
    await syncDirectory(this.#directory)
  }

  confirmed(): Promise<string | null> {
    return absentAsNull(readFile(join(this.#directory, 'confirmed'), 'utf8'))
  }

  async confirm(generation: string): Promise<void> {
    await writeDurably(join(this.#directory, 'confirmed'), generation)
    await syncDirectory(this.#directory)
  }
}

export const otherSlot = (slot: Slot): Slot => (slot === 'a' ? 'b' : 'a')

/** The files of an edge with thousands of customers, without as many of them open at once. */
async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += FILES_AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + FILES_AT_ONCE).map(work))))
  return results
}

async function listFiles(root: string): Promise<string[]> {
  const entries = (await absentAsNull(readdir(root, { withFileTypes: true, recursive: true }))) ?? []
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}

async function writeDurably(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE })
  const file = await open(`${path}.tmp`, 'w', FILE_MODE)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.tmp`, path)
}

/** A rename survives a power cut only once its directory was synced. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

async function absentAsNull<T>(pending: Promise<T>): Promise<T | null> {
  try {
    return await pending
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
