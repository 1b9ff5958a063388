import { Callout } from '../../../portal/ui/Callout.tsx'
import { Copyable } from '../../../portal/ui/Copyable.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import type { StockHypervisor } from '../../../routers/stock/contract.ts'

/** Whether a process drives the host, and what to do when none does or the wrong one wants to. */
export function DriverNotices({ host }: { host: StockHypervisor }) {
  const { driven, process, waiting, connected, fault, portsFault } = host
  const notices = [
    !driven && (
      <Callout key="undriven" tone="bad" title="No process drives it">
        {process ? (
          <p>
            {process.name} did, and was last seen <Time at={process.seenAt} />. New routers go elsewhere; those here
            stay as they were last seen, and what is asked of them waits.
          </p>
        ) : (
          <p>It takes no routers before one does.</p>
        )}
        <p className="mt-1 flex flex-wrap items-center gap-2">
          Start one on the host with <Copyable value={`ROLE=host HYPERVISOR=${host.slug}`} what="the settings" />
        </p>
      </Callout>
    ),
    driven && !connected && (
      <Callout key="silent" tone="bad" title="It does not answer">
        <p>{fault ?? 'Nobody has said why yet.'}</p>
      </Callout>
    ),
    portsFault !== null && (
      <Callout key="ports" tone="bad" title="Routers are not kept to their own addresses">
        <p>{portsFault}</p>
        <p className="mt-1 text-dim">
          No router starts here until this is fixed. One that runs could advertise the IPv6 address of another.
        </p>
      </Callout>
    ),
    waiting !== null && (
      <Callout key="waiting" tone="warn" title="Another process wants to drive it">
        <p>{waiting}</p>
      </Callout>
    ),
  ].filter(Boolean)
  return notices.length === 0 ? null : <div className="mb-4 grid gap-2">{notices}</div>
}
