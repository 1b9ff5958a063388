import { open } from 'node:fs/promises'

/** The largest real export has about 105 MB (2026); this is more than twice that. */
const MAX_BYTES = 256 * 1024 * 1024
const DEADLINE_MS = 120_000
const CHUNK_BYTES = 1024 * 1024

export interface FetchedExport {
  readonly chunks: AsyncIterable<Uint8Array>
  /** When the source's copy last changed, if known. */
  readonly changedAt: Date | null
  /** Pass this to the next call: an unchanged export is then not sent again. */
  readonly tag: string | null
}

/** Opens an export from a file or an http(s) URL. Returns null if it is still the one that `tag` names. */
export async function fetchExport(location: string, tag: string | null): Promise<FetchedExport | null> {
  const fetched = await (/^https?:\/\//.test(location) ? fromWeb(location, tag) : fromFile(location, tag))
  return fetched && { ...fetched, chunks: bounded(fetched.chunks) }
}

async function fromWeb(location: string, tag: string | null): Promise<FetchedExport | null> {
  const response = await fetch(location, {
    headers: { accept: 'application/json', ...(tag === null ? {} : { 'if-none-match': tag }) },
    signal: AbortSignal.timeout(DEADLINE_MS),
  })
  if (response.status === 304) return null
  if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`)
  const changed = new Date(response.headers.get('last-modified') ?? Number.NaN)
  return {
    chunks: response.body,
    changedAt: Number.isNaN(changed.getTime()) ? null : changed,
    tag: response.headers.get('etag'),
  }
}

async function fromFile(path: string, tag: string | null): Promise<FetchedExport | null> {
  const file = await open(path)
  const { size, mtime, ino, mtimeMs } = await file.stat()
  const current = `${ino}-${mtimeMs}-${size}`
  if (current !== tag)
    return { chunks: file.createReadStream({ highWaterMark: CHUNK_BYTES }), changedAt: mtime, tag: current }
  await file.close()
  return null
}

async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new Error(`the export is larger than ${MAX_BYTES} bytes`)
    yield chunk
  }
}
