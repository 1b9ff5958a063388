import { money, type Plan } from './api.ts'
import { DeedDialog } from './DeedDialog.tsx'

export const RetirePlanDialog = ({ plan, onClose }: { plan: Plan; onClose: () => void }) => (
  <DeedDialog
    title={`Retire ${plan.name}`}
    action="Retire plan"
    danger
    consequences={[
      'Nobody can choose it any more, and it cannot be sold again under this name.',
      plan.routers === 0
        ? 'No router is on it.'
        : `${plan.routers} ${plan.routers === 1 ? 'router stays' : 'routers stay'} on it, at its price.`,
    ]}
    done={`${plan.name} is not sold any more`}
    onClose={onClose}
    act={(reason, _, submission) =>
      money.call['POST /api/admin/plans/{slug}/retire']({ params: { slug: plan.slug }, body: { reason } }, submission)
    }
  />
)
