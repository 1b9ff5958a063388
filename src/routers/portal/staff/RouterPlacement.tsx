import { Link } from '@tanstack/react-router'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { AdminRouter } from '../../contract.ts'
import { configurationBadge } from '../configuration-variants.ts'
import { HypervisorState } from './inventory/HypervisorState.tsx'
import { fullName } from '../../../accounts/portal/staff/user-name.ts'

/** Shows its owner, its host, and its desired against its observed state. */
export const RouterPlacement = ({ router }: { router: AdminRouter }) => (
  <PropertyTable
    items={[
      { label: 'ID', value: <span className="num">{router.id}</span> },
      {
        label: 'User',
        value: (
          <span className="flex flex-wrap items-center gap-x-2">
            <Link to="/admin/users/$id" params={{ id: router.user.id }} className="link">
              {fullName(router.user)}
            </Link>
            <span className="text-sm text-dim">{router.user.email}</span>
          </span>
        ),
      },
      {
        label: 'Hypervisor',
        value: (
          <span className="flex flex-wrap items-center gap-x-2">
            <Link to="/admin/hypervisors/$id" params={{ id: router.hypervisor.id }} className="link">
              {router.hypervisor.name}
            </Link>
            <HypervisorState of={router.hypervisor} />
          </span>
        ),
      },
      { label: 'Desired state', value: router.desiredState },
      {
        label: 'Last seen',
        value: (
          <>
            {router.observed} <Time at={router.observedAt} none="never" />
          </>
        ),
      },
      {
        label: 'Configuration',
        value: (
          <span className="flex flex-wrap items-center gap-x-2">
            <StatusBadge tone={configurationBadge(router).tone}>{configurationBadge(router).label}</StatusBadge>
            {router.configuration.error ?? <Time at={router.configuration.appliedAt} none="never applied" />}
          </span>
        ),
      },
      {
        label: 'Restart',
        value: router.needsRestart ? 'Changes take effect after the next restart' : 'Not required',
      },
    ]}
  />
)
