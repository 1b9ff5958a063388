import { open } from 'node:fs/promises'

/** The largest real export has about 105 MB (2026); twice that and a reserve. */
const MAX_BYTES = 256 * 1024 * 1024
const DEADLINE_MS = 120_000

export interface FetchedExport {
  readonly bytes: Uint8Array
  /** When the copy at the source was last changed, as far as the source says. */
  readonly changedAt: Date | null
  /** Hand this in the next time: an unchanged export is then not sent again. */
  readonly tag: string | null
}

/** Reads an export from a file or an http(s) address. Null when it is still the one that `tag` names. */
export async function fetchExport(
  location: string,
  tag: string | null,
  signal: AbortSignal,
): Promise<FetchedExport | null> {
  return /^https?:\/\//.test(location) ? fromWeb(location, tag, signal) : fromFile(location, tag)
}

async function fromWeb(location: string, tag: string | null, signal: AbortSignal): Promise<FetchedExport | null> {
  const response = await fetch(location, {
    headers: { accept: 'application/json', ...(tag === null ? {} : { 'if-none-match': tag }) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
  })
  if (response.status === 304) return null
  if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new Error(`the export is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  const changed = new Date(response.headers.get('last-modified') ?? Number.NaN)
  return {
    bytes: Buffer.concat(chunks),
    changedAt: Number.isNaN(changed.getTime()) ? null : changed,
    tag: response.headers.get('etag'),
  }
}

async function fromFile(path: string, tag: string | null): Promise<FetchedExport | null> {
  await using file = await open(path)
  const { size, mtime, ino, mtimeMs } = await file.stat()
  const current = `${ino}-${mtimeMs}-${size}`
  if (current === tag) return null
  if (size > MAX_BYTES) throw new Error(`the export is larger than ${MAX_BYTES} bytes`)
  return { bytes: await file.readFile(), changedAt: mtime, tag: current }
}
