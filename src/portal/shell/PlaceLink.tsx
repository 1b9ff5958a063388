import { Link, useLocation } from '@tanstack/react-router'
import { Icon } from '../ui/Icon.tsx'
import { currentness, type Place } from './navigation.ts'
import { usePlaceCount } from './place-counts.ts'

export function PlaceLink({
  place,
  className,
  size,
  onClick,
}: {
  place: Place
  className: string
  size?: number
  onClick?: () => void
}) {
  const waiting = usePlaceCount(place.to)
  const path = useLocation({ select: (location) => location.pathname })
  return (
    <Link
      to={place.to}
      activeOptions={{ exact: true }}
      aria-current={currentness(place, path)}
      // The place keeps its name; how much waits there describes it.
      title={waiting > 0 ? `${waiting} waiting` : undefined}
      className={className}
      onClick={onClick}
    >
      <Icon name={place.icon} {...(size ? { size } : {})} />
      {place.label}
      {waiting > 0 && (
        <span
          aria-hidden
          className={`num rounded-sm bg-accent-soft px-1 text-xs font-medium text-accent ${size ? 'absolute top-1 left-1/2 ml-2.5' : 'ml-auto'}`}
        >
          {waiting}
        </span>
      )}
    </Link>
  )
}
