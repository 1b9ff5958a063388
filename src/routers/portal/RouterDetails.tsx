import { Amount } from '../../ui/components/Amount.tsx'
import { Copyable } from '../../ui/components/Copyable.tsx'
import { PropertyTable, type Property } from '../../ui/components/PropertyTable.tsx'
import { gibibytes, mebibytes } from '../../ui/components/quantity.ts'
import { Time } from '../../ui/components/Time.tsx'
import type { Router } from '../contract.ts'

export function RouterDetails({ router }: { router: Router }) {
  const addresses = router.addresses.toSorted((a, b) => a.family - b.family)
  const items: Property[] = [
    ...addresses.map((address) => ({
      label: `IPv${address.family}`,
      value: (
        <Copyable value={address.address}>
          {address.address}
          <span className="text-faint">/{address.prefixLength}</span>
        </Copyable>
      ),
    })),
    ...addresses.map((address) => ({
      label: `IPv${address.family} gateway`,
      value: <Copyable value={address.gateway} />,
    })),
    { label: 'Plan', value: <PlanDetail router={router} /> },
    { label: 'Site', value: router.labels.site },
    { label: 'Image', value: router.labels.image },
    { label: 'Created', value: <Time at={router.createdAt} /> },
    { label: 'MAC', value: <Copyable value={router.mac} /> },
    { label: 'UUID', value: <Copyable value={router.uuid} /> },
  ]
  return <PropertyTable items={items} />
}

const PlanDetail = ({ router: { labels, cpus, memory, diskSize } }: { router: Router }) => (
  <span className="flex flex-wrap gap-x-2.5">
    <span>{labels.plan}</span>
    <span className="flex flex-wrap gap-x-2.5 text-dim">
      <Amount of={{ number: String(cpus), unit: cpus === 1 ? 'core' : 'cores' }} />
      <Amount of={mebibytes(memory)} />
      <span>
        <Amount of={gibibytes(diskSize)} /> <span className="text-faint">disk</span>
      </span>
    </span>
  </span>
)
