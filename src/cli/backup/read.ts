/** Reads a backup: first all of it, checked against its manifest, and only then again, to use it. */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { CommandError } from '../command.ts'
import { MANIFEST, manifestShape, SECRET_KEY, tableOfChunk, type Manifest } from './manifest.ts'

export interface CheckedBackup {
  readonly manifest: Manifest
  /** The key from the archive, if it has one. */
  readonly secretKey: string | null
}

/** Throws {@link CommandError} for a file that is not a complete backup. */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  const digests = new Map<string, Hash>()
  let manifest: Manifest | undefined
  let secretKey: string | null = null
  try {
    for await (const { name, content } of readEntries(file)) {
      const table = tableOfChunk(name)
      if (table !== undefined) {
        const hash = digests.get(table) ?? createHash('sha256')
        digests.set(table, hash.update(content))
      } else if (name === SECRET_KEY) secretKey = content.toString('utf8')
      else if (name === MANIFEST) manifest = manifestShape.parse(JSON.parse(content.toString('utf8')))
      else throw new Error(`${JSON.stringify(name)} in it is unknown`)
    }
    if (!manifest) throw new Error('it has no manifest')
    requireSame(manifest, digests, secretKey)
  } catch (error) {
    throw new CommandError(`${file} is not a whole backup: ${(error as Error).message}. Nothing was changed.`, {
      cause: error,
    })
  }
  return { manifest, secretKey }
}

function requireSame(manifest: Manifest, digests: ReadonlyMap<string, Hash>, secretKey: string | null): void {
  const known = new Set(manifest.tables.map(({ name }) => name))
  for (const name of digests.keys()) if (!known.has(name)) throw new Error(`its manifest has no table ${name}`)
  for (const { name, sha256 } of manifest.tables) {
    const found = (digests.get(name) ?? createHash('sha256')).digest('hex')
    if (found !== sha256) throw new Error(`the table ${name} is not what was written`)
  }
  if (manifest.secretKey?.from !== 'file') return
  const found = createHash('sha256')
    .update(secretKey ?? '')
    .digest('hex')
  if (found !== manifest.secretKey.sha256) throw new Error('the secret key is not what was written')
}

export interface TableStream {
  readonly table: string
  /** Must be read to its end before the next one. */
  readonly chunks: AsyncIterable<Buffer>
}

/** Yields the tables that have rows, in the order of the archive, in which they can be filled. */
export async function* readTableStreams(file: string): AsyncGenerator<TableStream> {
  const entries = readEntries(file)
  let entry = await next(entries)
  while (entry) {
    const table = tableOfChunk(entry.name)
    if (table === undefined) {
      entry = await next(entries)
      continue
    }
    async function* chunks(): AsyncGenerator<Buffer> {
      for (; entry && tableOfChunk(entry.name) === table; entry = await next(entries)) yield entry.content
    }
    yield { table, chunks: chunks() }
  }
}

async function next(entries: AsyncGenerator<Entry>): Promise<Entry | undefined> {
  const { value, done } = await entries.next()
  return done ? undefined : value
}

interface Entry {
  readonly name: string
  readonly content: Buffer
}

/** Chunks are about a megabyte. A single row may be larger, but not as large as this. */
const LARGEST_ENTRY_BYTES = 256 << 20

/** Throws the error of the stage that fails: the file, the compression or the archive. */
async function* readEntries(file: string): AsyncGenerator<Entry> {
  const archive = extract()
  const reading = pipeline(createReadStream(file), createGunzip(), archive)
  // The iteration throws the same error.
  reading.catch(() => undefined)
  for await (const entry of archive) {
    const { name, type, size } = entry.header
    if (type !== 'file' || size > LARGEST_ENTRY_BYTES)
      throw new Error(`${JSON.stringify(name)} is no entry of a backup`)
    yield { name, content: Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>)) }
  }
  // The checksum of the compression follows the last entry.
  await reading
}
