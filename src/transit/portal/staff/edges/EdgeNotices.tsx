import { Callout } from '../../../../ui/components/Callout.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import type { AdminEdge } from '../../../contract.ts'

const ERROR_TITLES: Readonly<Record<string, string>> = {
  refused: 'Configuration rejected',
  unreachable: 'Unreachable',
}

/** The problems of an edge that staff should see first. */
export function EdgeNotices({ edge }: { edge: AdminEdge }) {
  const notices = [
    edge.maintenance && (
      <Callout key="maintenance" tone="warn" title="In maintenance: routes are announced as a last resort">
        <p>
          {edge.maintenance.reason}
          <span className="text-dim">
            {' '}
            · since <Time at={edge.maintenance.since} />
          </span>
        </p>
        <p className="text-dim">
          Routes carry GRACEFUL_SHUTDOWN (RFC 8326): traffic moves to other paths and sessions stay up until maintenance
          ends.
        </p>
      </Callout>
    ),
    !edge.process?.alive && (
      <Callout key="no_agent" tone="bad" title="No agent is running">
        {edge.process ? (
          <p>
            {edge.process.name} was last seen <Time at={edge.process.seenAt} />. The edge keeps its current
            configuration. Changes wait until an agent is running.
          </p>
        ) : (
          <p>The edge carries no traffic until an agent is running.</p>
        )}
        <p className="mt-1">
          Start longhaul-agent beside the edge router, with a token from below if it has no key yet.
        </p>
      </Callout>
    ),
    edge.error && edge.errorKind !== 'no_agent' && edge.errorKind !== 'unconfirmed' && (
      <Callout
        key="error"
        tone="bad"
        title={ERROR_TITLES[edge.errorKind ?? ''] ?? 'Configuration could not be applied'}
      >
        <code className="text-sm wrap-anywhere">{edge.error}</code>
        <p className="mt-1 text-dim">
          {edge.errorKind === 'unreachable'
            ? 'Sessions are shown as last seen. Changes are applied when the edge responds again.'
            : 'The edge keeps running its previous configuration.'}
        </p>
      </Callout>
    ),
    edge.upstreams?.error != null && (
      <Callout key="upstreams" tone="bad" title="Upstream down">
        <p className="text-sm wrap-anywhere">{edge.upstreams.error}</p>
        <p className="mt-1 text-dim">
          As of <Time at={edge.upstreams.seenAt} />. Traffic takes the other upstreams of this edge, if any. Customers’
          own sessions stay up.
        </p>
      </Callout>
    ),
    edge.refusedFromUpstreams?.logError != null && (
      <Callout key="log" tone="warn" title="Reasons are missing">
        <p className="text-sm wrap-anywhere">{edge.refusedFromUpstreams.logError}</p>
        <p className="mt-1 text-dim">
          BIRD drops some updates before any filter and gives the reason in its log alone (RFC 5065, RFC 7606, RFC
          9234). Write the log in bird.conf and name it in EDGE_LOG.
        </p>
      </Callout>
    ),
    edge.originValidation?.error != null && (
      <Callout key="rpki" tone="bad" title="Origin validation is incomplete">
        <p className="text-sm wrap-anywhere">{edge.originValidation.error}</p>
        <p className="mt-1 text-dim">
          As of <Time at={edge.originValidation.seenAt} />. Check the validators and the RTR sessions in the edge’s{' '}
          {edge.kind === 'openbgpd' ? 'bgpd.conf' : 'bird.conf'}.
        </p>
      </Callout>
    ),
    edge.neighborsError !== null && (
      <Callout key="neighbors" tone="bad" title="Router addresses are not protected">
        <p className="text-sm wrap-anywhere">{edge.neighborsError}</p>
        <p className="mt-1 text-dim">
          Until this is fixed, neighbour entries are not pinned, so one router could receive another router’s traffic.
        </p>
      </Callout>
    ),
    edge.waiting !== null && (
      <Callout key="waiting" tone="warn" title="A worker is waiting">
        <p>{edge.waiting}</p>
      </Callout>
    ),
  ].filter(Boolean)
  return notices.length === 0 ? null : <div className="mb-4 grid gap-2">{notices}</div>
}
