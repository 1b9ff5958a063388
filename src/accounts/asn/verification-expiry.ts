/**
 * Decides whether a verified ASN still has a valid proof, and what follows. Pure: `recheck-job.ts` does the I/O.
 * Cutting off an entitled network is the worse failure. So a registry that does not answer never puts a verification
 * at risk, confirms it or lets it lapse. No date moves closer than the owner was told.
 */
import { ASN_RISKS, ASN_REMINDER_DAYS, type AsnRisk } from '../policy.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ASK_AGAIN_DAYS = 7
/**
 * The least time left after the last reminder and after an outage, whichever side was down: the owner gets this long
 * to react.
 */
export const GRACE_DAYS = 3

/** The holder that a registry names: by handles, or by name if it gives none. */
export interface Holder {
  readonly handles: readonly string[]
  readonly name: string | null
}

export interface VerifiedProof {
  readonly validUntil: Date
  /** The holder in the first answer after the proof; null before that. */
  readonly holder: Holder | null
}

export type RegistryAnswer =
  /** `holder` is null if the registry says that the ASN is not allocated. */
  | { readonly kind: 'answered'; readonly holder: Holder | null }
  | { readonly kind: 'no_answer' }
  /** No registry service covers this ASN. */
  | { readonly kind: 'no_service' }

export interface VerificationRisk {
  readonly cause: AsnRisk
  readonly since: Date
  readonly lapsesAt: Date
  readonly remindedAt: Date | null
}

export interface Assessment {
  readonly event: 'at_risk' | 'reminded' | 'confirmed' | 'lapsed' | null
  readonly risk: VerificationRisk | null
  readonly nextCheckAt: Date
}

/** Returns the result of one check of a verified ASN. */
export function assessVerification(
  risk: VerificationRisk | null,
  proofs: readonly VerifiedProof[],
  registryAnswer: RegistryAnswer,
  now: Date,
): Assessment {
  if (saysNothing(registryAnswer, proofs))
    return { event: null, risk: risk && withGrace(risk, now), nextCheckAt: after(now, HOUR) }
  const holder = registryAnswer.kind === 'answered' ? registryAnswer.holder : undefined
  const validProofs = proofs.filter((proof) => isValidProof(proof, holder, now))
  if (validProofs.length > 0) {
    const lastDay = Math.max(...validProofs.map(({ validUntil }) => validUntil.getTime()))
    const nextCheckAt = new Date(Math.min(now.getTime() + ASK_AGAIN_DAYS * DAY, lastDay))
    return { event: risk ? 'confirmed' : null, risk: null, nextCheckAt }
  }
  // A customer who starts a new proof gives up the old one. The reason for the risk stays what it was.
  const cause = proofs.length === 0 && risk ? risk.cause : causeOf(proofs, holder)
  if (!risk) {
    const lapsesAt = after(now, ASN_RISKS[cause].graceDays * DAY)
    return proceed({ cause, since: now, lapsesAt, remindedAt: null }, 'at_risk', now)
  }
  if (!risk.remindedAt && now >= reminderOf(risk)) {
    return proceed({ ...withGrace(risk, now), cause, remindedAt: now }, 'reminded', now)
  }
  if (now >= risk.lapsesAt) return { event: 'lapsed', risk: { ...risk, cause }, nextCheckAt: now }
  return proceed({ ...risk, cause }, null, now)
}

/** Returns true if the registry names a different holder. Holders that cannot be compared count as the same. */
export function isAnotherHolder(before: Holder, now: Holder): boolean {
  if (before.handles.length > 0 && now.handles.length > 0) {
    return !before.handles.some((handle) => now.handles.includes(handle))
  }
  if (before.handles.length > 0 || now.handles.length > 0) return false
  return before.name !== null && now.name !== null && fold(before.name) !== fold(now.name)
}

/**
 * `holder` is null if the registry knows no holder, and undefined if no registry can be asked. Some registries do not
 * list what they delegate, so "no holder" only counts against a proof after which the registry named one.
 */
export const isContradicted = (proof: Pick<VerifiedProof, 'holder'>, holder: Holder | null | undefined): boolean =>
  holder !== undefined && proof.holder !== null && (holder === null || isAnotherHolder(proof.holder, holder))

const isValidProof = (proof: VerifiedProof, holder: Holder | null | undefined, now: Date): boolean =>
  proof.validUntil > now && !isContradicted(proof, holder)

/** A "no service" answer for an ASN that a registry answered about before is an outage of the registry list. */
const saysNothing = (registryAnswer: RegistryAnswer, proofs: readonly VerifiedProof[]): boolean =>
  registryAnswer.kind === 'no_answer' ||
  (registryAnswer.kind === 'no_service' && proofs.some(({ holder }) => holder !== null))

function causeOf(proofs: readonly VerifiedProof[], holder: Holder | null | undefined): AsnRisk {
  if (!proofs.some((proof) => isContradicted(proof, holder))) return 'expired'
  return holder === null ? 'unallocated' : 'holder_changed'
}

const withGrace = (risk: VerificationRisk, now: Date): VerificationRisk => ({
  ...risk,
  lapsesAt: new Date(Math.max(risk.lapsesAt.getTime(), now.getTime() + GRACE_DAYS * DAY)),
})

const reminderOf = ({ lapsesAt }: VerificationRisk): Date => after(lapsesAt, -ASN_REMINDER_DAYS * DAY)

function proceed(risk: VerificationRisk, event: Assessment['event'], now: Date): Assessment {
  const steps = [after(now, DAY), risk.lapsesAt, ...(risk.remindedAt ? [] : [reminderOf(risk)])]
  const nextCheckAt = new Date(Math.min(...steps.map((at) => at.getTime()).filter((at) => at > now.getTime())))
  return { event, risk, nextCheckAt }
}

const after = (from: Date, ms: number): Date => new Date(from.getTime() + ms)
const fold = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
