/**
 * Whether a verified ASN still rests on something: what was proved, what the registry says now, and what follows. Pure;
 * `asn-recheck.ts` asks and writes. Cutting off a network that is entitled is the worse failure, so a registry that
 * does not answer never raises, confirms or carries out a doubt, and no date comes nearer than its owner was told.
 */
import { ASN_DOUBTS, ASN_REMINDER_DAYS, type AsnDoubt } from './policy.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ASK_AGAIN_DAYS = 7
/** What is left at least after the last reminder, and after an outage: whichever of us was away, its owner was not. */
export const RESPITE_DAYS = 3

/** Whom a registry names: by handles, and by a name where it gives none. */
export interface Holder {
  readonly handles: readonly string[]
  readonly name: string | null
}

export interface Proved {
  readonly validUntil: Date
  /** Of the first answer after the proof; null before that. */
  readonly holder: Holder | null
}

export type Look =
  /** `holder` is null when the registry says that nobody holds the number. */
  | { readonly kind: 'answered'; readonly holder: Holder | null }
  | { readonly kind: 'silent' }
  /** No registry offers to be asked about this number. */
  | { readonly kind: 'unlisted' }

export interface Doubt {
  readonly cause: AsnDoubt
  readonly since: Date
  readonly lapsesAt: Date
  readonly remindedAt: Date | null
}

export interface Verdict {
  readonly event: 'doubted' | 'reminded' | 'settled' | 'lapsed' | null
  readonly doubt: Doubt | null
  readonly nextCheckAt: Date
}

/** What follows from one look at a number that is verified. */
export function judge(doubt: Doubt | null, proofs: readonly Proved[], look: Look, now: Date): Verdict {
  if (saysNothing(look, proofs))
    return { event: null, doubt: doubt && withRespite(doubt, now), nextCheckAt: after(now, HOUR) }
  const holder = look.kind === 'answered' ? look.holder : undefined
  const sound = proofs.filter((proof) => isSound(proof, holder, now))
  if (sound.length > 0) {
    const lastDay = Math.max(...sound.map(({ validUntil }) => validUntil.getTime()))
    const nextCheckAt = new Date(Math.min(now.getTime() + ASK_AGAIN_DAYS * DAY, lastDay))
    return { event: doubt ? 'settled' : null, doubt: null, nextCheckAt }
  }
  // Whoever begins anew gives the old proof up: the reason stays what it was.
  const cause = proofs.length === 0 && doubt ? doubt.cause : causeOf(proofs, holder)
  if (!doubt) {
    const lapsesAt = after(now, ASN_DOUBTS[cause].graceDays * DAY)
    return proceed({ cause, since: now, lapsesAt, remindedAt: null }, 'doubted', now)
  }
  if (!doubt.remindedAt && now >= reminderOf(doubt)) {
    return proceed({ ...withRespite(doubt, now), cause, remindedAt: now }, 'reminded', now)
  }
  if (now >= doubt.lapsesAt) return { event: 'lapsed', doubt: { ...doubt, cause }, nextCheckAt: now }
  return proceed({ ...doubt, cause }, null, now)
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
export const isContradicted = (proof: Pick<Proved, 'holder'>, holder: Holder | null | undefined): boolean =>
  holder !== undefined && proof.holder !== null && (holder === null || isAnotherHolder(proof.holder, holder))

const isSound = (proof: Proved, holder: Holder | null | undefined, now: Date): boolean =>
  proof.validUntil > now && !isContradicted(proof, holder)

/** A number that a registry once answered about and now "cannot be asked about" is an outage of the list of registries. */
const saysNothing = (look: Look, proofs: readonly Proved[]): boolean =>
  look.kind === 'silent' || (look.kind === 'unlisted' && proofs.some(({ holder }) => holder !== null))

function causeOf(proofs: readonly Proved[], holder: Holder | null | undefined): AsnDoubt {
  if (!proofs.some((proof) => isContradicted(proof, holder))) return 'expired'
  return holder === null ? 'unallocated' : 'holder_changed'
}

const withRespite = (doubt: Doubt, now: Date): Doubt => ({
  ...doubt,
  lapsesAt: new Date(Math.max(doubt.lapsesAt.getTime(), now.getTime() + RESPITE_DAYS * DAY)),
})

const reminderOf = ({ lapsesAt }: Doubt): Date => after(lapsesAt, -ASN_REMINDER_DAYS * DAY)

function proceed(doubt: Doubt, event: Verdict['event'], now: Date): Verdict {
  const steps = [after(now, DAY), doubt.lapsesAt, ...(doubt.remindedAt ? [] : [reminderOf(doubt)])]
  const nextCheckAt = new Date(Math.min(...steps.map((at) => at.getTime()).filter((at) => at > now.getTime())))
  return { event, doubt, nextCheckAt }
}

const after = (from: Date, ms: number): Date => new Date(from.getTime() + ms)
const fold = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
