/**
 * Compresses API responses for clients that accept it. Built files are compressed once, when they are built
 * (assets.ts). No response contains a secret of ours beside text that another site could choose (BREACH). Cookies are
 * SameSite=Lax, so a request that another site causes is anonymous, and the CSRF token is only in a cookie.
 */
import type { FastifyInstance } from 'fastify'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A smaller response fits into one packet anyway. */
const WORTH_BYTES = 1_000
const TEXT = /^(application\/([\w.-]+\+)?json|text\/csv|image\/svg\+xml)\b/
const refused = '(?!;q=0(?:\\.0*)?(?:,|$))'
/** Fast rather than small: a list of 20 kB takes less than a millisecond, on another thread. */
const CODINGS = [
  {
    name: 'br',
    wanted: new RegExp(`\\bbr\\b${refused}`),
    compress: (text: Buffer) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  },
  {
    name: 'gzip',
    wanted: new RegExp(`\\bgzip\\b${refused}`),
    compress: (text: Buffer) => promisify(gzip)(text, { level: 3 }),
  },
] as const

export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (typeof payload !== 'string' || payload.length < WORTH_BYTES || request.method === 'HEAD') return payload
    if (reply.hasHeader('content-encoding') || !TEXT.test(String(reply.getHeader('content-type') ?? ''))) return payload
    reply.header('vary', 'accept-encoding')
    const accepted = String(request.headers['accept-encoding'] ?? '')
    const coding = CODINGS.find(({ wanted }) => wanted.test(accepted))
    if (!coding) return payload
    const compressed = await coding.compress(Buffer.from(payload))
    reply.header('content-encoding', coding.name).header('content-length', compressed.length)
    return compressed
  })
}
