import { money, type Plan } from './api.ts'
import { ActionDialog } from './ActionDialog.tsx'

export const RetirePlanDialog = ({ plan, onClose }: { plan: Plan; onClose: () => void }) => (
  <ActionDialog
    title={`Retire ${plan.name}`}
    action="Retire plan"
    danger
    consequences={[
      'It can no longer be ordered, and its name cannot be reused.',
      plan.routers === 0
        ? 'No routers use it.'
        : `${plan.routers} ${plan.routers === 1 ? 'router keeps' : 'routers keep'} it, at the same price.`,
    ]}
    done={`${plan.name} retired`}
    onClose={onClose}
    onSubmit={(reason, _, submission) =>
      money.call['POST /api/admin/plans/{slug}/retire']({ params: { slug: plan.slug }, body: { reason } }, submission)
    }
  />
)
