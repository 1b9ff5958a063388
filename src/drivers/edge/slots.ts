import { lstatSync, readFileSync } from 'node:fs'
import { mkdir, open, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { beforeEffect } from '../../kernel/effects.ts'

/** Says which generation a slot contains: the last quoted word. */
export const GENERATION_FILE = 'generation.conf'

export type Slot = 'a' | 'b'
export type Files = ReadonlyMap<string, string>

/**
 * Readable only by the group of the daemon: the files contain TCP MD5 secrets. The group comes from the setgid bit of
 * the directory above.
 */
const FILE_MODE = 0o640
const DIRECTORY_MODE = 0o750
const FILES_AT_ONCE = 32

/**
 * Two complete configurations, `a` and `b`, and a link `live` to the one that the operator's configuration includes. A
 * change is written to the other slot and activated by switching the link. The daemon therefore reads all of a state or
 * nothing of it, whenever the writer dies. The previous state stays on disk until the next change. `confirmed` names
 * the last generation that was verified.
 *
 * A file gets its name only after its content is on the disk. Names are on the disk at the latest before they are
 * confirmed: a power failure also ends the daemon, and its next start uses the confirmed state (`prepare.ts`).
 */
export class ConfigSlots {
  readonly #directory: string
  /**
   * The files that were read of each slot, so that a change of one customer does not read the files of all others
   * again.
   */
  readonly #known: Record<Slot, ReadonlyMap<string, KnownFile>> = { a: new Map(), b: new Map() }

  constructor(directory: string) {
    this.#directory = directory
  }

  async live(): Promise<Slot | null> {
    const target = await absentAsNull(readlink(join(this.#directory, 'live')))
    return target === 'a' || target === 'b' ? target : null
  }

  /** Returns the slot that contains this generation in full. */
  async holding(generation: string | null): Promise<Slot | null> {
    for (const slot of ['a', 'b'] as const) {
      const text = await absentAsNull(readFile(join(this.#directory, slot, GENERATION_FILE), 'utf8'))
      if (generation !== null && text?.includes(`${generation}"`)) return slot
    }
    return null
  }

  /**
   * Returns the files on the disk now, whichever process wrote them: a file is read again unless it is the same
   * unchanged file. The calls are synchronous: for a thousand small files that takes a fifth of the time, batch by
   * batch.
   */
  async read(slot: Slot): Promise<Files> {
    const root = join(this.#directory, slot)
    const known = this.#known[slot]
    const files = new Map<string, KnownFile>()
    for (const path of await listFiles(root)) {
      const file = join(root, path)
      // Before the content: the next read then notices a change in between.
      const stamp = stampOf(file)
      const before = known.get(path)
      files.set(path, before?.stamp === stamp ? before : { stamp, text: readFileSync(file, 'utf8') })
      if (files.size % FILES_AT_ONCE === 0) await breathe()
    }
    this.#known[slot] = files
    return new Map([...files].map(([path, { text }]) => [path, text]))
  }

  /**
   * Makes a slot contain exactly these files. The generation is removed first and written last: without it the daemon
   * refuses the slot.
   */
  async write(slot: Slot, files: Files): Promise<void> {
    beforeEffect()
    const root = join(this.#directory, slot)
    await mkdir(join(root, 'customers'), { recursive: true, mode: DIRECTORY_MODE })
    await rm(join(root, GENERATION_FILE), { force: true })
    const present = await this.read(slot)
    for (const path of present.keys()) if (!files.has(path)) await rm(join(root, path))
    const changed = [...files].filter(([path, content]) => path !== GENERATION_FILE && present.get(path) !== content)
    const [nameGeneration] = await Promise.all([
      writeUnnamed(join(root, GENERATION_FILE), files.get(GENERATION_FILE)!),
      inBatches(changed, async ([path, content]) => (await writeUnnamed(join(root, path), content))()),
    ])
    await nameGeneration()
  }

  async activate(slot: Slot): Promise<void> {
    const link = join(this.#directory, 'live.tmp')
    await rm(link, { force: true })
    await symlink(slot, link)
    beforeEffect()
    await rename(link, join(this.#directory, 'live'))
  }

  confirmed(): Promise<string | null> {
    return absentAsNull(readFile(join(this.#directory, 'confirmed'), 'utf8'))
  }

  async confirm(slot: Slot, generation: string): Promise<void> {
    const [name] = await Promise.all([writeUnnamed(join(this.#directory, 'confirmed'), generation), this.sync(slot)])
    await name()
    await syncDirectory(this.#directory)
  }

  /** Makes the names in the slot, and the link, survive a power failure. */
  async sync(slot: Slot): Promise<void> {
    await Promise.all(['.', slot, join(slot, 'customers')].map((path) => syncDirectory(join(this.#directory, path))))
  }
}

interface KnownFile {
  readonly stamp: string
  readonly text: string
}

/** It changes after every write, rename and change of permissions: a program cannot set ctime (inode(7)). */
function stampOf(path: string): string {
  const { dev, ino, size, ctimeNs } = lstatSync(path, { bigint: true })
  return `${dev} ${ino} ${size} ${ctimeNs}`
}

export const otherSlot = (slot: Slot): Slot => (slot === 'a' ? 'b' : 'a')

/** Reads the files of an edge with thousands of customers, without opening as many at once. */
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

/** Resolves once the content is on the disk, with a function that gives the file its name. */
async function writeUnnamed(path: string, content: string): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE })
  beforeEffect()
  const file = await open(`${path}.tmp`, 'w', FILE_MODE)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  return () => {
    beforeEffect()
    return rename(`${path}.tmp`, path)
  }
}

/** A rename survives a power failure only once its directory was synced. */
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
