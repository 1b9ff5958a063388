/** Looks up the current registry data of an ASN, for background work that no user waits for. */
import { RegistryError, type AutnumRecord } from '../../drivers/registry/index.ts'
import { formatAsn } from '../../kernel/asn.ts'
import type { RegistryAnswer, Holder } from './verification-expiry.ts'
import type { AccountsDeps } from '../deps.ts'

const DEADLINE_MS = 8_000

export type Answer =
  | { readonly kind: 'answered'; readonly record: AutnumRecord | null }
  | { readonly kind: 'no_answer' }
  | { readonly kind: 'no_service' }

export async function askRegistry(
  { registry, log }: Pick<AccountsDeps, 'registry' | 'log'>,
  asn: number,
): Promise<Answer> {
  try {
    return { kind: 'answered', record: await registry.autnum(asn, AbortSignal.timeout(DEADLINE_MS)) }
  } catch (error) {
    log.warn({ err: error, asn }, 'the registry did not answer')
    return { kind: error instanceof RegistryError && error.kind === 'no-service' ? 'no_service' : 'no_answer' }
  }
}

export const holderOf = (record: AutnumRecord): Holder => ({ handles: record.registrants, name: record.holder })

export const toRegistryAnswer = (answer: Answer): RegistryAnswer =>
  answer.kind === 'answered' ? { kind: 'answered', holder: answer.record && holderOf(answer.record) } : answer

/** Returns true if one of the remarks appears as a whole word in any line. */
export const hasRemark = (record: AutnumRecord, remarks: readonly string[]): boolean =>
  record.remarks.some((line) =>
    line
      .toLowerCase()
      .split(/[\s,;]+/)
      .some((word) => remarks.includes(word)),
  )

/** Describes to the owner what the check for the remark found. */
export function describeCheck(
  answer: Answer,
  asn: number,
  found: boolean,
  missing: 'yet' | 'any more' = 'yet',
): string {
  const name = formatAsn(asn)
  if (answer.kind === 'no_service') return `No registry can be asked about ${name}: choose another proof.`
  if (answer.kind === 'no_answer') return 'The registry did not answer.'
  if (!answer.record) return `The registry does not know ${name}.`
  return found ? 'The remark is in the object.' : `The object of ${name} does not have the remark ${missing}.`
}
