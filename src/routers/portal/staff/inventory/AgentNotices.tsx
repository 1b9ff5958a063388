import { Callout } from '../../../../ui/components/Callout.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import type { InventoryHypervisor } from '../../../inventory/contract.ts'

/** Shows whether a process drives the host, and what to do when none does or the wrong one tries to. */
export function AgentNotices({ host }: { host: InventoryHypervisor }) {
  const { leased, process, waiting, connected, fault, portRulesError } = host
  const notices = [
    !leased && (
      <Callout key="undriven" tone="bad" title="No agent is running">
        {process ? (
          <p>
            {process.name} was last seen <Time at={process.seenAt} />. New routers are placed elsewhere. Changes to
            routers on this host wait until an agent is running.
          </p>
        ) : (
          <p>No routers are placed here until an agent is running.</p>
        )}
        <p className="mt-1">Start longhaul-agent on the host, with a token from below if it has no key yet.</p>
      </Callout>
    ),
    leased && !connected && (
      <Callout key="silent" tone="bad" title="Unreachable">
        <p>{fault ?? 'The reason is not known yet.'}</p>
        <p className="text-dim">The figures below are as last reported.</p>
      </Callout>
    ),
    portRulesError !== null && (
      <Callout key="ports" tone="bad" title="Router addresses are not protected">
        <p>{portRulesError}</p>
        <p className="mt-1 text-dim">
          No router starts on this host until this is fixed. A running router could advertise another router’s IPv6
          address.
        </p>
      </Callout>
    ),
    waiting !== null && (
      <Callout key="waiting" tone="warn" title="A worker is waiting">
        <p>{waiting}</p>
      </Callout>
    ),
  ].filter(Boolean)
  return notices.length === 0 ? null : <div className="mb-4 grid gap-2">{notices}</div>
}
