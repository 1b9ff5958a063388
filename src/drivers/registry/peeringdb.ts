/**
 * Signs users in with PeeringDB (OAuth 2.0, RFC 6749, with PKCE, RFC 7636) to learn who they are there, and which
 * networks they may edit. Its responses are untrusted like any other: limited in time and size, and parsed strictly.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { RegistryError, type PeeringDb } from './index.ts'

export interface PeeringDbOptions {
  readonly clientId: string
  readonly clientSecret: string
  readonly base?: string
  readonly deadlineMs?: number
}

const MAX_BYTES = 1024 * 1024

const tokenShape = z.object({ access_token: z.string().min(1).max(4_096) })
const profileShape = z.object({
  id: z.int(),
  verified_user: z.boolean().catch(false),
  verified_email: z.boolean().catch(false),
  networks: z
    .array(
      z.object({
        name: z.string().max(300).catch(''),
        asn: z.int().min(0).max(4_294_967_295),
        perms: z.int().catch(0),
      }),
    )
    .max(5_000)
    .catch([]),
})

export function createPeeringDb(options: PeeringDbOptions): PeeringDb {
  const { clientId, clientSecret, base = 'https://auth.peeringdb.com', deadlineMs = 10_000 } = options
  const at = (path: string): URL => new URL(path, base)
  return {
    authorizeUrl({ state, verifier, redirectUri }) {
      const url = at('/oauth2/authorize/')
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'profile email networks',
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }).toString()
      return url.href
    },
    async identify({ code, verifier, redirectUri }, caller) {
      const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), ...(caller ? [caller] : [])])
      const granted = await ask(at('/oauth2/token/'), signal, {
        method: 'POST',
        headers: {
          authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`,
        },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
        }),
      })
      // RFC 6749 section 5.2: a wrong, expired or used code is a 400.
      if (granted === null) return null
      const { access_token: token } = read(tokenShape, granted)
      const profile = await ask(at('/profile/v1'), signal, { headers: { authorization: `Bearer ${token}` } })
      if (profile === null) throw new RegistryError('protocol', 'PeeringDB does not take the token that it gave.')
      const { id, verified_user, verified_email, networks } = read(profileShape, profile)
      return { id, verifiedUser: verified_user, verifiedEmail: verified_email, networks }
    },
  }
}

/** Returns the document, or null for a 4xx. */
async function ask(url: URL, signal: AbortSignal, init: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, { ...init, signal, redirect: 'error' })
    const text = await readText(response)
    if (response.ok) return JSON.parse(text)
    if (response.status === 429 || response.status >= 500) {
      throw new RegistryError('unreachable', `PeeringDB answered ${response.status}.`)
    }
    return null
  } catch (error) {
    if (error instanceof RegistryError) throw error
    if (error instanceof SyntaxError) throw new RegistryError('protocol', 'PeeringDB sent no JSON.', { cause: error })
    if (signal.aborted) throw new RegistryError('timeout', 'PeeringDB took too long.', { cause: error })
    throw new RegistryError('unreachable', 'PeeringDB cannot be reached.', { cause: error })
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new RegistryError('protocol', `PeeringDB sent more than ${MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function read<S extends z.ZodType>(shape: S, document: unknown): z.output<S> {
  const parsed = shape.safeParse(document)
  if (!parsed.success)
    throw new RegistryError('protocol', 'PeeringDB answered something else.', { cause: parsed.error })
  return parsed.data
}
