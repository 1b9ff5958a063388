import { queryClient } from '../../ui/live/query-client.ts'
import type { PaletteItem } from '../../ui/runtime/palette.ts'
import { QUEUES } from '../queues/names.ts'
import { hypervisors } from '../../routers/portal/staff/api.ts'
import { QUEUE_LABELS, queueHref } from './queues/queue-labels.ts'

/** The inventory pages; the navigation links only to the first. */
const INVENTORY_ITEMS: readonly PaletteItem[] = [
  { id: 'sites', label: 'Sites', keywords: 'places close orders' },
  { id: 'hypervisors', label: 'Hypervisors', keywords: 'hosts drain size overcommit' },
  { id: 'pools', label: 'Address pools', keywords: 'ipv4 ipv6 gateways free addresses' },
  { id: 'images', label: 'Images', keywords: 'appliance default retire' },
  { id: 'edges', label: 'Edges', keywords: 'bird maintenance graceful shutdown filters sessions' },
  { id: 'maintenance', label: 'Maintenance', keywords: 'planned windows announce downtime customers' },
  { id: 'approval-policy', label: 'Approval policy', keywords: 'prefixes evidence rules automatic two people limits' },
  { id: 'texts', label: 'Site content', keywords: 'notice support terms footer' },
].map(({ id, ...item }) => ({
  ...item,
  id: `staff-infrastructure-${id}`,
  group: 'Infrastructure',
  icon: 'inventory' as const,
  href: id === 'sites' ? '/admin/inventory' : `/admin/inventory/${id}`,
}))

/** Billing adds its own queue. */
const QUEUE_ITEMS: readonly PaletteItem[] = QUEUES.filter((queue) => queue !== 'invoices_overdue').map((queue) => ({
  id: `staff-queue-${queue}`,
  label: QUEUE_LABELS[queue].label,
  group: 'Queue',
  icon: 'gauge',
  href: queueHref(queue),
}))

/** Returns the palette items for staff: the inventory pages, each hypervisor, and the queues. */
export async function navPaletteItems(): Promise<readonly PaletteItem[]> {
  const { hypervisors: hosts } = await queryClient.ensureQueryData(hypervisors())
  return [
    ...INVENTORY_ITEMS,
    ...QUEUE_ITEMS,
    ...hosts.map((host): PaletteItem => ({
      id: `staff-hypervisor-${host.id}`,
      label: host.name,
      group: 'Hypervisor',
      icon: 'inventory',
      hint: host.site.name,
      keywords: host.slug,
      href: `/admin/hypervisors/${host.id}`,
    })),
  ]
}
