import { Link } from '@tanstack/react-router'
import { PropertyTable } from '../../portal/ui/PropertyTable.tsx'
import { StatusBadge } from '../../portal/ui/StatusBadge.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import type { AdminRouter } from '../../routers/contract.ts'
import { configurationLook } from '../../routers/portal/configuration-look.ts'
import { HypervisorState } from './HypervisorState.tsx'
import { fullName } from './person.ts'

/** Whose it is, where it runs, and what is wanted of it against what was last seen. */
export const RouterPlacement = ({ router }: { router: AdminRouter }) => (
  <PropertyTable
    items={[
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
      { label: 'Desired state', value: router.wish },
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
            <StatusBadge tone={configurationLook(router).tone}>{configurationLook(router).word}</StatusBadge>
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
