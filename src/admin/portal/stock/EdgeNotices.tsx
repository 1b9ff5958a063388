import { Callout } from '../../../portal/ui/Callout.tsx'
import { Copyable } from '../../../portal/ui/Copyable.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import type { AdminEdge } from '../../../transit/contract.ts'

const ERROR_TITLES: Readonly<Record<string, string>> = {
  refused: 'It refuses the configuration',
  unreachable: 'It does not answer',
}

/** What staff have to know of an edge before anything else. */
export function EdgeNotices({ edge }: { edge: AdminEdge }) {
  const notices = [
    edge.maintenance && (
      <Callout key="maintenance" tone="warn" title="In maintenance: every customer is a last resort">
        <p>
          {edge.maintenance.reason}
          <span className="text-dim">
            {' '}
            · since <Time at={edge.maintenance.since} />
          </span>
        </p>
        <p className="text-dim">
          Their routes carry GRACEFUL_SHUTDOWN (RFC 8326): traffic leaves, no session falls. It stays so until it is
          ended.
        </p>
      </Callout>
    ),
    !edge.process?.alive && (
      <Callout key="away" tone="bad" title="No process drives it">
        {edge.process ? (
          <p>
            {edge.process.name} did, and was last seen <Time at={edge.process.seenAt} />. The router runs on with what
            it has; changes wait.
          </p>
        ) : (
          <p>It carries nothing before one does.</p>
        )}
        <p className="mt-1 flex flex-wrap items-center gap-2">
          Start one beside the router with <Copyable value={`ROLE=edge EDGE_NAME=${edge.slug}`} what="the settings" />
        </p>
      </Callout>
    ),
    edge.error && edge.errorKind !== 'away' && (
      <Callout
        key="error"
        tone="bad"
        title={ERROR_TITLES[edge.errorKind ?? ''] ?? 'It does not take the configuration'}
      >
        <code className="text-sm wrap-anywhere">{edge.error}</code>
        <p className="mt-1 text-dim">
          {edge.errorKind === 'unreachable'
            ? 'Its sessions are shown as last seen, and what is wanted waits until it answers.'
            : 'It runs on with the one before.'}
        </p>
      </Callout>
    ),
    edge.neighborsError !== null && (
      <Callout key="neighbors" tone="bad" title="Router addresses are not protected">
        <p className="text-sm wrap-anywhere">{edge.neighborsError}</p>
        <p className="mt-1 text-dim">
          The edge learns who has an address from the routers themselves until this is fixed, so one router could
          receive the traffic of another.
        </p>
      </Callout>
    ),
    edge.waiting !== null && (
      <Callout key="waiting" tone="warn" title="Another process wants to drive it">
        <p>{edge.waiting}</p>
      </Callout>
    ),
  ].filter(Boolean)
  return notices.length === 0 ? null : <div className="mb-4 grid gap-2">{notices}</div>
}
