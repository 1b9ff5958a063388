import { useQuery } from '@tanstack/react-query'
import { Callout } from '../../../ui/components/Callout.tsx'
import type { MaintenanceWindow } from '../../contract.ts'
import { EFFECT_TEXT, placeText, timeSpan } from '../../maintenance/policy.ts'
import { ownMaintenance } from './api.ts'
import { localSpan } from './local-span.ts'

/** Maintenance that affects the account, before and during the work. Renders nothing without any. */
export default function MaintenanceNotices({
  of,
  className = 'mb-4',
}: {
  of: 'all' | 'transit' | number
  className?: string
}) {
  const { data = [] } = useQuery(ownMaintenance())
  const shown = data
    .map((one) => ({
      ...one,
      routers: one.routers.filter(({ id, sessions }) => of === 'all' || (of === 'transit' ? sessions : id === of)),
    }))
    .filter(({ routers }) => routers.length > 0)
  if (shown.length === 0) return null
  return (
    <div className={`grid gap-2 ${className}`}>
      {shown.map((one) => (
        <Notice key={one.id} planned={one} named={of === 'all'} />
      ))}
    </div>
  )
}

function Notice({ planned, named }: { planned: MaintenanceWindow; named: boolean }) {
  const [from, to] = [new Date(planned.startsAt), new Date(planned.endsAt)]
  const local = localSpan(from, to)
  const where = placeText(planned.routers)
  const span = `${timeSpan(from, to, 'UTC')} UTC`
  const begun = planned.state === 'UNDER_WAY'
  return (
    <Callout
      tone={begun ? 'warn' : 'info'}
      title={begun ? `Maintenance ${where} is under way, ${span}` : `Planned maintenance ${where}, ${span}`}
    >
      <p>
        {planned.title}
        {local !== null && <span className="text-dim"> · {local} your time</span>}
      </p>
      <p>
        {EFFECT_TEXT[planned.effect]}
        {named && ` Affected: ${planned.routers.map(({ name }) => name).join(', ')}.`}
      </p>
    </Callout>
  )
}
