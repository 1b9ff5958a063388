import { Callout } from '../../../ui/components/Callout.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { TransitConnection } from '../../contract.ts'
import { EnableSessions, EndDrain } from './SessionActions.tsx'
import { UnsupportedKey } from './UnsupportedKey.tsx'

/** Shows intended states as information, and a session over its limit as an error. */
export function ControlNotices({ connection }: { connection: TransitConnection }) {
  const { enabled, sessions } = connection
  const over = sessions.filter(({ limitExceeded }) => enabled && limitExceeded)
  return (
    <>
      <IntendedState connection={connection} />
      <UnsupportedKey connection={connection} />
      {over.map((session) => (
        <OverLimit key={session.family} session={session} />
      ))}
    </>
  )
}

/** Shows that the customer shut down or drained the sessions, with the way back. */
export function IntendedState({ connection }: { connection: TransitConnection }) {
  const { enabled, shutdownMessage, drainUntil } = connection
  if (!enabled)
    return (
      <Callout tone="info" title="You shut down both sessions" action={<EnableSessions />}>
        {shutdownMessage && <p>Message: “{shutdownMessage}”</p>}
        <p>None of your prefixes are announced until you enable the sessions.</p>
      </Callout>
    )
  if (!drainUntil) return null
  return (
    <Callout tone="info" title="Your sessions are drained" action={<EndDrain />}>
      Your prefixes are announced as a last resort. It ends automatically <Time at={drainUntil} />.
    </Callout>
  )
}

/** Shown above the limit, where the customer can clear it. */
export const OverLimit = ({
  session: { family, receiveLimit, importLimit, limitExceeded },
}: {
  session: TransitConnection['sessions'][number]
}) =>
  limitExceeded && (
    <Callout tone="bad" title={`The IPv${family} session is closed: over its route limit`}>
      Your router sent more than {receiveLimit} routes
      {importLimit !== null && `, or more than ${importLimit} that were accepted`}, <Time at={limitExceeded.at} />.
      Announce only your own prefixes, then clear the limit below. The edge tries again{' '}
      <Time at={limitExceeded.retryAt} /> in any case.
    </Callout>
  )
