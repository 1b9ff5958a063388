import { StatusBadge } from '../../portal/ui/StatusBadge.tsx'

/** Whether it answers, and plainly so when it is only played. */
export const HypervisorState = ({
  of: { connected, fault, driver },
}: {
  of: { readonly connected: boolean; readonly fault: string | null; readonly driver: string }
}) => (
  <span className="inline-flex items-center gap-1.5" title={fault ?? undefined}>
    <StatusBadge tone={connected ? 'ok' : 'bad'}>{connected ? 'Connected' : 'Away'}</StatusBadge>
    {driver === 'simulated' && <StatusBadge tone="warn">SIMULATED</StatusBadge>}
  </span>
)
