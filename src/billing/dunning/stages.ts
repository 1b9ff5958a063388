/** Computes the dunning stage of an account from how long an invoice is overdue. Pure functions. */
import type { Settings } from '../settings.ts'
import { DUNNING_STAGES, type DunningStage } from '../states.ts'

const DAY_MS = 86_400_000

type Days = Pick<
  Settings,
  'reminder_days' | 'warning_days' | 'drain_days' | 'sessions_down_days' | 'suspend_days' | 'termination_days'
>

/** Returns when each stage begins for an invoice that was due at `dueAt`. */
function stageTimes(dueAt: Date, days: Days): readonly { readonly stage: DunningStage; readonly at: Date }[] {
  const after = (count: number) => new Date(dueAt.getTime() + count * DAY_MS)
  return [
    { stage: 'REMINDED', at: after(days.reminder_days) },
    { stage: 'WARNED', at: after(days.warning_days) },
    { stage: 'DRAINED', at: after(days.drain_days) },
    { stage: 'SESSIONS_DOWN', at: after(days.sessions_down_days) },
    { stage: 'SUSPENDED', at: after(days.suspend_days) },
    { stage: 'TERMINATED', at: after(days.termination_days) },
  ]
}

/**
 * Delays the steps of an account that was paused until `held`: one step a day from then, until they catch up with the
 * calendar.
 */
function timesAfterPause<S extends { readonly at: Date }>(steps: readonly S[], held: Date | null): readonly S[] {
  let least = held
  return steps.map((step) => {
    if (!least || step.at >= least) return step
    const at = least
    least = new Date(at.getTime() + DAY_MS)
    return { ...step, at }
  })
}

/** Returns the stage that an account with this oldest debt should have now; `CURRENT` if nothing is overdue. */
export function wantedStage(oldestDue: Date | null, days: Days, now: Date): DunningStage {
  if (!oldestDue) return 'CURRENT'
  return stageTimes(oldestDue, days).findLast(({ at }) => at <= now)?.stage ?? 'CURRENT'
}

/**
 * Returns when each worse stage comes if nothing is paid. An account may be behind the calendar because the worker
 * was down or staff paused dunning. It is never given dates in the past.
 */
export function stagesToCome(
  oldestDue: Date,
  days: Days,
  dunning: { readonly stage: DunningStage; readonly since: Date; readonly pausedUntil: Date | null },
  now: Date,
): readonly { readonly stage: DunningStage; readonly at: Date }[] {
  const { stage, since, pausedUntil } = dunning
  const stayed = stage === 'CURRENT' ? 0 : since.getTime() + LEAST_STAY_MS
  const least = new Date(Math.max(now.getTime(), stayed, pausedUntil?.getTime() ?? 0))
  return timesAfterPause(
    stageTimes(oldestDue, days).filter((step) => isWorse(step.stage, stage)),
    least,
  )
}

/**
 * Returns the next stage. It gets worse one step at a time, so that services stop only after a warning, even if the
 * worker was down for weeks. It gets better at once.
 */
export const nextStage = (current: DunningStage, wanted: DunningStage): DunningStage =>
  isWorse(wanted, current) ? DUNNING_STAGES[DUNNING_STAGES.indexOf(current) + 1]! : wanted

export const isWorse = (a: DunningStage, b: DunningStage): boolean =>
  DUNNING_STAGES.indexOf(a) > DUNNING_STAGES.indexOf(b)

/** The minimum time between two steps that the customer must be able to react to, whatever the calendar says. */
export const LEAST_STAY_MS = DAY_MS
