import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { buttonClass } from '../../ui/components/button-variants.ts'
import type { MenuEntry } from '../../ui/components/menu-entries.ts'
import { Section } from '../../ui/components/PageHeader.tsx'
import MaintenanceNotices from '../../transit/portal/maintenance/MaintenanceNotices.tsx'
import { RouterTopology } from '../../transit/portal/OwnTopology.tsx'
import type { RouterDetail } from '../contract.ts'
import { routerDetail } from './api.ts'
import { ConsoleButton } from './ConsoleButton.tsx'
import { CreationSteps } from './CreationSteps.tsx'
import { DangerZone } from './DangerZone.tsx'
import { DeleteRouter } from './DeleteRouter.tsx'
import { PowerActions } from './PowerActions.tsx'
import { blockedReason } from './router-labels.ts'
import { RouterConfiguration } from './RouterConfiguration.tsx'
import { RouterDetails } from './RouterDetails.tsx'
import { RouterHeader } from './RouterHeader.tsx'
import { RouterMetrics } from './RouterMetrics.tsx'
import { RouterNotices } from './RouterNotices.tsx'
import { RouterSessions } from './RouterSessions.tsx'

const route = getRouteApi('/_signed-in/_verified/routers/$id/')

export function RouterPage() {
  const { id } = route.useParams()
  const { data: router } = useSuspenseQuery(routerDetail(id))
  const [deletes, setDeletes] = useState(false)
  const onItsWay = router.steps.some((step) => step.at === null) && router.state !== 'DELETING'
  return (
    <>
      <RouterHeader router={router} actions={<Actions router={router} onDelete={() => setDeletes(true)} />} />
      <MaintenanceNotices of={id} />
      <RouterNotices router={router} />
      {onItsWay && (
        <div className="mb-6">
          <CreationSteps router={router} />
        </div>
      )}
      <RouterDetails router={router} />
      <RouterMetrics router={router} />
      {router.state !== 'DELETING' && (
        <>
          {router.sessions.length > 0 && <RouterTopology id={router.id} />}
          <RouterSessions router={router} />
          <Section title="Routing configuration">
            <RouterConfiguration router={router} />
          </Section>
        </>
      )}
      <DangerZone router={router} onDelete={() => setDeletes(true)} />
      <DeleteRouter router={router} open={deletes} onClose={() => setDeletes(false)} />
    </>
  )
}

function Actions({ router, onDelete }: { router: RouterDetail; onDelete: () => void }) {
  const navigation = useRouter()
  const further: readonly MenuEntry[] = [
    {
      label: 'Edit',
      icon: 'settings',
      apart: true,
      disabledReason: blockedReason(router, 'rename'),
      onSelect: () => void navigation.navigate({ to: '/routers/$id/edit', params: { id: router.id } }),
    },
    {
      label: 'Delete',
      icon: 'trash',
      danger: true,
      apart: true,
      disabledReason: blockedReason(router, 'delete'),
      onSelect: onDelete,
    },
  ]
  return (
    <>
      <ConsoleButton id={router.id} />
      <Link to="/routers/$id/edit" params={{ id: router.id }} className={buttonClass('plain', 'md', 'max-md:hidden')}>
        Edit
      </Link>
      <PowerActions router={router} further={further} />
    </>
  )
}
