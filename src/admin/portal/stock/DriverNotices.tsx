import { Callout } from '../../../portal/ui/Callout.tsx'
import { Copyable } from '../../../portal/ui/Copyable.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import type { StockHypervisor } from '../../../routers/stock/contract.ts'

/** Whether a process drives the host, and what to do when none does or the wrong one wants to. */
export function DriverNotices({ host }: { host: StockHypervisor }) {
  const { driven, process, waiting, connected, fault, portsFault } = host
  const notices = [
    !driven && (
      <Callout key="undriven" tone="bad" title="No agent is running">
        {process ? (
          <p>
            {process.name} was last seen <Time at={process.seenAt} />. New routers are placed elsewhere. Changes to
            routers on this host wait until an agent is running.
          </p>
        ) : (
          <p>No routers are placed here until an agent is running.</p>
        )}
        <p className="mt-1 flex flex-wrap items-center gap-2">
          Start an agent on the host with <Copyable value={`ROLE=host HYPERVISOR=${host.slug}`} what="the settings" />
        </p>
      </Callout>
    ),
    driven && !connected && (
      <Callout key="silent" tone="bad" title="Unreachable">
        <p>{fault ?? 'The reason is not known yet.'}</p>
      </Callout>
    ),
    portsFault !== null && (
      <Callout key="ports" tone="bad" title="Router addresses are not protected">
        <p>{portsFault}</p>
        <p className="mt-1 text-dim">
          No router starts on this host until this is fixed. A running router could advertise another router’s IPv6
          address.
        </p>
      </Callout>
    ),
    waiting !== null && (
      <Callout key="waiting" tone="warn" title="Another agent is waiting">
        <p>{waiting}</p>
      </Callout>
    ),
  ].filter(Boolean)
  return notices.length === 0 ? null : <div className="mb-4 grid gap-2">{notices}</div>
}
