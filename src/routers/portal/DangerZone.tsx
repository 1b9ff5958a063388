import { Button } from '../../ui/components/Button.tsx'
import { Section } from '../../ui/components/PageHeader.tsx'
import type { RouterDetail } from '../contract.ts'
import { blockedReason, inWords } from './router-labels.ts'

import { DeletionProtection } from './DeletionProtection.tsx'

export const DangerZone = ({ router, onDelete }: { router: RouterDetail; onDelete: () => void }) => (
  <Section title="Danger zone">
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-bad/40 px-3 py-2.5">
      <p className="text-sm text-dim">
        {router.deletionGrace > 0
          ? `Stops the router. Its disk and addresses are kept for ${inWords(router.deletionGrace)}, during which it can be restored.`
          : 'Erases the disk and releases the addresses. This can’t be undone.'}
      </p>
      <Button
        icon="trash"
        variant="risk"
        disabledReason={blockedReason(router, 'delete')}
        onClick={onDelete}
        aria-haspopup="dialog"
      >
        Delete router
      </Button>
    </div>
    <DeletionProtection router={router} />
  </Section>
)
