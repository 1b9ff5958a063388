import { Callout } from '../../ui/components/Callout.tsx'
import { absoluteTime } from '../../ui/components/relative-time.ts'
import { Time } from '../../ui/components/Time.tsx'
import type { RouterDetail } from '../contract.ts'
import { SuspendedByStaff } from '../../accounts/portal/SuspendedByStaff.tsx'
import { useUser } from '../../ui/runtime/session.ts'
import RestoreOwnRouter from './RestoreOwnRouter.tsx'
import LostSessions from './LostSessions.tsx'
import { BillingLink } from './BillingLink.tsx'

/** What the owner has to know before anything else on the page. */
export function RouterNotices({ router }: { router: RouterDetail }) {
  const suspension = useUser()?.suspension
  const notices = [
    router.purgeAt !== null && (
      <Callout
        key="deleted"
        tone="warn"
        title={
          <>
            This router is deleted and will be removed permanently on {absoluteTime(new Date(router.purgeAt))} (
            <Time at={router.purgeAt} />)
          </>
        }
        action={<RestoreOwnRouter router={router} />}
      >
        It is off and not billed. Until then its disk and addresses are kept and you can restore it.
      </Callout>
    ),
    router.failure && (
      <Callout key="failure" tone="bad" title="This router failed">
        {router.failure}
      </Callout>
    ),
    !router.stateKnown && router.state === 'CREATING' && (
      <Callout key="awaited" tone="warn" title="Waiting for a host">
        The host of this router is not responding. The router is created when it does, or on another host of the site.
      </Callout>
    ),
    !router.stateKnown && router.state !== 'CREATING' && (
      <Callout key="silent" tone="warn" title="Host unreachable">
        You see the last known state; the router may still be running. Actions are carried out when the host is back.
      </Callout>
    ),
    router.state === 'SUSPENDED' && suspension && (
      <SuspendedByStaff
        key="suspended"
        suspension={suspension}
        title="This router is suspended"
        consequence="It is off and keeps its disk and addresses."
      />
    ),
    router.state === 'SUSPENDED' && !suspension && (
      <Callout key="suspended" tone="warn" title="This router is suspended" action={<BillingLink />}>
        It is off and keeps its disk and addresses. Pay the open invoice under Billing, or contact support.
      </Callout>
    ),
    router.sessions.some(({ downSince, stateKnown }) => downSince || !stateKnown) && (
      <LostSessions key="sessions" sessions={router.sessions} />
    ),
    router.needsRestart && (
      <Callout key="restart" tone="info" title="Restart needed">
        Your changes take effect after a restart.
      </Callout>
    ),
  ].filter(Boolean)
  return notices.length === 0 ? null : <div className="mb-4 grid gap-2">{notices}</div>
}
