import { EmptyValue } from '../../../../ui/components/EmptyValue.tsx'
import { gibibytes, mebibytes, type Quantity } from '../../../../ui/components/quantity.ts'
import { PropertyTable } from '../../../../ui/components/PropertyTable.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import { UsageBar } from '../../../../ui/components/UsageBar.tsx'
import type { InventoryHypervisor } from '../../../inventory/contract.ts'
import { shareOf } from './share-sold.ts'

const ACCELERATION = {
  kvm: 'KVM',
  tcg: 'TCG: software emulation, slow',
  none: 'none',
} as const

const words = ({ number, unit }: Quantity): string => `${number} ${unit}`

/** Shows what drives the host, and what is allocated on it. */
export function HypervisorDetails({ host }: { host: InventoryHypervisor }) {
  const { facts, sold, size, cpuOvercommit, process } = host
  const memory = size.memory - host.memoryReserve
  const cpus = size.cpus * cpuOvercommit
  return (
    <PropertyTable
      items={[
        {
          label: 'Address',
          value: facts?.address ? (
            <code>{facts.address}</code>
          ) : host.driver === 'simulated' ? (
            'none'
          ) : (
            'not reported yet'
          ),
        },
        { label: 'Driver', value: facts && host.driver === 'libvirt' ? facts.version : host.driver },
        { label: 'Acceleration', value: facts ? ACCELERATION[facts.acceleration] : 'not reported yet' },
        { label: 'Worker', value: process?.alive ? process.name : 'none' },
        { label: 'Worker since', value: process?.alive ? <Time at={process.since} /> : <EmptyValue /> },
        { label: 'Connected', value: host.connected ? <Time at={host.connectedAt} /> : 'no' },
        {
          label: 'CPU allocated',
          value: <UsageBar used={sold.cpus / cpus} label="CPU allocated" detail={`${sold.cpus} of ${cpus}`} />,
        },
        {
          label: 'Memory allocated',
          value: (
            <UsageBar
              used={shareOf(sold.memory, memory)}
              label="Memory allocated"
              detail={`${words(mebibytes(sold.memory))} of ${words(mebibytes(memory))}`}
            />
          ),
        },
        { label: 'QEMU overhead', value: `${words(mebibytes(host.memoryOverhead))} of allocated memory` },
        {
          label: 'Reserved for the host',
          value: `${words(mebibytes(host.memoryReserve))} of ${words(mebibytes(size.memory))}`,
        },
        {
          label: 'Disk allocated',
          value: (
            <UsageBar
              used={sold.disk / size.disk}
              label="Disk allocated"
              detail={`${words(gibibytes(sold.disk))} of ${words(gibibytes(size.disk))}`}
            />
          ),
        },
      ]}
    />
  )
}
