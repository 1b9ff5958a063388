/**
 * VIES, the European Commission's exchange of VAT ids, through its REST API. Its answers are hostile input: limited in
 * size and time, and parsed.
 */
import { z } from 'zod'
import { TaxError, type VatAnswer, type VatId, type VatRegistry } from '../index.ts'

export interface ViesOptions {
  /** Defaults to the Commission's own. */
  readonly base?: string
  /** The operator's own VAT id. With it VIES returns a consultation number, which proves that we asked. */
  readonly requester?: VatId
  readonly timeoutMs?: number
}

const BASE = 'https://ec.europa.eu/taxation_customs/vies/rest-api'
const TIMEOUT_MS = 15_000
const MAX_BYTES = 64 * 1024

const result = z.object({
  valid: z.boolean(),
  name: z.string().max(1000).nullish(),
  requestIdentifier: z.string().max(100).nullish(),
})
const denial = z.object({ errorWrappers: z.array(z.object({ error: z.string().max(100) })).min(1) })

export function createVies(options: ViesOptions = {}): VatRegistry {
  const { base = BASE, requester, timeoutMs = TIMEOUT_MS } = options
  return {
    kind: 'vies',
    async check(id, signal) {
      const body = {
        countryCode: id.country,
        vatNumber: id.number,
        ...(requester && { requesterMemberStateCode: requester.country, requesterNumber: requester.number }),
      }
      const deadline = AbortSignal.timeout(timeoutMs)
      return read(await ask(`${base}/check-vat-number`, body, signal ? AbortSignal.any([signal, deadline]) : deadline))
    },
    close: () => Promise.resolve(),
  }
}

async function ask(url: string, body: unknown, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      // An answer from another server is not an answer of VIES.
      redirect: 'error',
      signal,
    })
    return JSON.parse(await readCapped(response))
  } catch (cause) {
    if (cause instanceof TaxError) throw cause
    if (cause instanceof SyntaxError) throw new TaxError('protocol', 'VIES sent no JSON.', { cause })
    throw new TaxError('unreachable', 'VIES cannot be reached.', { cause })
  }
}

async function readCapped(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new TaxError('protocol', `VIES sent more than ${MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Errors come first: with some of them VIES also writes `valid: false`, which would be wrong. */
function read(answer: unknown): VatAnswer {
  const refused = denial.safeParse(answer)
  if (refused.success) {
    const { error } = refused.data.errorWrappers[0]!
    if (error === 'INVALID_INPUT') return { valid: false, holder: null, consultation: null }
    throw new TaxError('unreachable', `VIES could not answer: ${error}.`)
  }
  const parsed = result.safeParse(answer)
  if (!parsed.success) throw new TaxError('protocol', 'VIES sent something else than a verdict.')
  const { valid, name, requestIdentifier } = parsed.data
  // Member states that do not publish names send dashes.
  const holder = name && /[^\s-]/.test(name) ? name : null
  return { valid, holder, consultation: requestIdentifier || null }
}
