import { Button } from '../../../ui/components/Button.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import type { TransitConnection } from '../../contract.ts'
import { BFD_LABELS, LACK_TEXT } from '../../states.ts'
import { controls } from './api.ts'
import { ControlRow } from './ControlRow.tsx'
import { useConnectionAction } from './use-connection-action.ts'

/** BFD of one session: the switch and the state that the edge reports. */
export function BfdSwitch({
  session,
  lacks,
}: {
  session: TransitConnection['sessions'][number]
  lacks: TransitConnection['edge']['lacks']
}) {
  const act = useConnectionAction()
  const { family, bfd } = session
  const set = (enabled: boolean) =>
    act(() =>
      controls.call['PUT /api/transit_connection/sessions/{family}/bfd']({ params: { family }, body: { enabled } }),
    )
  return (
    <ControlRow words={<BfdState session={session} />}>
      <Button
        changes
        size="sm"
        variant="quiet"
        disabledReason={!bfd.enabled && lacks.includes('bfd') ? LACK_TEXT.bfd : null}
        onClick={() => void set(!bfd.enabled)}
      >
        {bfd.enabled ? 'Turn off BFD' : 'Turn on BFD'}
      </Button>
    </ControlRow>
  )
}

function BfdState({ session: { bfd, stateKnown } }: { session: TransitConnection['sessions'][number] }) {
  if (!bfd.enabled) return 'Off. With BFD, the edge notices within a second that your router is unreachable.'
  if (bfd.state === null || !stateKnown) return 'On. The edge has not reported its state yet.'
  return (
    <StatusBadge
      tone={BFD_TONES[bfd.state]}
      note={
        bfd.state === 'NO_ANSWER'
          ? 'The session stays up without it. Configure BFD on your router: 300 ms, multiplier 3.'
          : undefined
      }
    >
      {BFD_LABELS[bfd.state]}
    </StatusBadge>
  )
}

const BFD_TONES = { UP: 'ok', DOWN: 'bad', NO_ANSWER: 'warn' } as const
