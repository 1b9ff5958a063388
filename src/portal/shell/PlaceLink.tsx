import { Link, useLocation } from '@tanstack/react-router'
import { Icon } from '../ui/Icon.tsx'
import { currentness, type Place } from './navigation.ts'

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
    </Link>
  )
}
