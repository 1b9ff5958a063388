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
      className={className}
      onClick={onClick}
    >
      <Icon name={place.icon} {...(size ? { size } : {})} />
      {place.label}
      {waiting > 0 && (
        <span className="num ml-auto rounded-sm bg-accent-soft px-1 text-xs font-medium text-accent max-md:ml-0">
          {waiting} <span className="sr-only">waiting</span>
        </span>
      )}
    </Link>
  )
}
