/**
 * Whether a verified ASN still rests on something: what was proved, what the registry says now, and what follows. Pure;
 * `recheck-job.ts` asks and writes. Cutting off a network that is entitled is the worse failure, so a registry that
 * does not answer never raises, confirms or carries out a doubt, and no date comes nearer than its owner was told.
 */
import { ASN_RISKS, ASN_REMINDER_DAYS, type AsnRisk } from '../policy.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ASK_AGAIN_DAYS = 7
/** What is left at least after the last reminder, and after an outage: whichever of us was away, its owner was not. */
export const GRACE_DAYS = 3

/** Whom a registry names: by handles, and by a name where it gives none. */
export interface Holder {
  readonly handles: readonly string[]
  readonly name: string | null
}

export interface VerifiedProof {
  readonly validUntil: Date
  /** Of the first answer after the proof; null before that. */
  readonly holder: Holder | null
}

export type RegistryAnswer =
  /** `holder` is null when the registry says that nobody holds the number. */
  | { readonly kind: 'answered'; readonly holder: Holder | null }
  | { readonly kind: 'no_answer' }
  /** No registry offers to be asked about this number. */
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

/** What follows from one look at a number that is verified. */
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
  // Whoever begins anew gives the old proof up: the reason stays what it was.
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

/** Whether the registry names somebody else. What cannot be compared is not another. */
export function isAnotherHolder(before: Holder, now: Holder): boolean {
  if (before.handles.length > 0 && now.handles.length > 0) {
    return !before.handles.some((handle) => now.handles.includes(handle))
  }
  if (before.handles.length > 0 || now.handles.length > 0) return false
  return before.name !== null && now.name !== null && fold(before.name) !== fold(now.name)
}

/**
 * `holder` is null when the registry knows nobody, and undefined where none can be asked. Some registries do not list
 * what they delegate: "nobody" counts only against a proof after which somebody was named.
 */
export const isContradicted = (proof: Pick<VerifiedProof, 'holder'>, holder: Holder | null | undefined): boolean =>
  holder !== undefined && proof.holder !== null && (holder === null || isAnotherHolder(proof.holder, holder))

const isValidProof = (proof: VerifiedProof, holder: Holder | null | undefined, now: Date): boolean =>
  proof.validUntil > now && !isContradicted(proof, holder)

/** A number that a registry once answered about and now "cannot be asked about" is an outage of the list of registries. */
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
