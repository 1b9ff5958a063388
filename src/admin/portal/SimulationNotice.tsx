import { useQuery } from '@tanstack/react-query'
import { Icon } from '../../ui/components/Icon.tsx'
import { system } from './system.ts'

const PARTS = [
  { key: 'compute', label: 'Routers', effect: 'no machine runs' },
  { key: 'edge', label: 'Edge', effect: 'no route is announced' },
  { key: 'dns', label: 'Reverse DNS', effect: 'no DNS server is asked' },
] as const

/** Says on every staff page which parts are simulated, and why. */
export function SimulationNotice() {
  const { data } = useQuery(system())
  const played = PARTS.filter(({ key }) => data?.[key].kind === 'simulated')
  if (!data || played.length === 0) return null
  return (
    <aside
      aria-label="Simulation"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-0.5 rounded-md bg-warn-soft px-3 py-1.5 text-sm"
    >
      <span className="inline-flex items-center gap-1.5 text-xs font-semibold text-warn">
        <Icon name="warning" size={13} />
        Simulated
      </span>
      {played.map(({ key, label, effect }) => (
        <span key={key} title={data[key].why}>
          <span className="font-medium">{label}</span> <span className="text-dim">· {effect}</span>
        </span>
      ))}
    </aside>
  )
}
