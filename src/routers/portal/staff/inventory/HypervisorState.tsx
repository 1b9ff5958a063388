import { StatusBadge } from '../../../../ui/components/StatusBadge.tsx'

/** Shows whether it answers, and whether it is drained. */
export const HypervisorState = ({
  of: { connected, fault = null, drained = false },
}: {
  of: {
    readonly connected: boolean
    readonly fault?: string | null
    readonly drained?: boolean
  }
}) => (
  <span className="inline-flex items-center gap-1.5" title={fault ?? undefined}>
    <StatusBadge tone={connected ? 'ok' : 'bad'}>{connected ? 'Connected' : 'Unreachable'}</StatusBadge>
    {drained && <StatusBadge tone="off">Drained</StatusBadge>}
  </span>
)
