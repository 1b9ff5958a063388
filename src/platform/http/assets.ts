/**
 * Serves the built files whose names change with their content. Each is read once and cached: a screen requests two
 * dozen, and looking one up on disk costs ten times as much as sending it.
 */
import type { FastifyInstance } from 'fastify'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { notFound } from '../../kernel/problem.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.map': 'application/json; charset=utf-8',
}
/** Encodings that the build wrote, smallest first. */
const CODINGS = [
  { name: 'br', suffix: '.br', wanted: /\bbr\b(?!;q=0(?:\.0*)?(?:,|$))/ },
  { name: 'gzip', suffix: '.gz', wanted: /\bgzip\b(?!;q=0(?:\.0*)?(?:,|$))/ },
] as const
/** No segment begins with a dot, so no path leads out of the folder. */
const NAME = /^(?:[\w-][\w.-]*\/)?[\w-][\w.-]*$/
/** Larger files are source maps, which only a person who looks for a bug requests. */
const MAX_CACHED_BYTES = 512 * 1024
const FOR_EVER = 'public, max-age=31536000, immutable'

export function mountAssets(app: FastifyInstance, directory: string): void {
  /** Also records which encodings of a file are missing: a file that is too small is not compressed. */
  const kept = new Map<string, Buffer | null>()
  const read = async (name: string, cacheNotFound: boolean): Promise<Buffer | null> => {
    const known = kept.get(name)
    if (known !== undefined) return known
    const content = await readFile(path.join(directory, name)).catch(absentAsNull)
    if (content ? content.length <= MAX_CACHED_BYTES : cacheNotFound) kept.set(name, content)
    return content
  }

  app.get('/assets/*', { config: { endpoint: 'portal', unauthenticated: true } }, async (request, reply) => {
    const name = (request.params as { '*': string })['*']
    const type = TYPES[path.extname(name)]
    const plain = NAME.test(name) && type ? await read(name, false) : null
    if (!plain) throw notFound()
    const tag = `"${name}"`
    reply.header('cache-control', FOR_EVER).header('vary', 'accept-encoding').header('etag', tag)
    if (request.headers['if-none-match'] === tag) return reply.code(304).send()
    reply.type(type!)
    const accepted = request.headers['accept-encoding']
    for (const { name: coding, suffix, wanted } of accepted === undefined ? [] : CODINGS) {
      const coded = wanted.test(String(accepted)) ? await read(name + suffix, true) : null
      if (coded) return reply.header('content-encoding', coding).send(coded)
    }
    return reply.send(plain)
  })
}

/** Treats a folder like a missing file. */
function absentAsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'ENOTDIR') return null
  throw error
}
