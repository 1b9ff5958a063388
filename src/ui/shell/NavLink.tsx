import { Link, useLocation } from '@tanstack/react-router'
import { Icon } from '../components/Icon.tsx'
import { currentness, type NavItem } from './navigation.ts'
import { useNavCount } from './nav-badges.ts'

export function NavLink({
  item,
  className,
  size,
  onClick,
}: {
  item: NavItem
  className: string
  size?: number
  onClick?: () => void
}) {
  const waiting = useNavCount(item.to)
  const path = useLocation({ select: (location) => location.pathname })
  return (
    <Link
      to={item.to}
      activeOptions={{ exact: true }}
      aria-current={currentness(item, path)}
      // The item keeps its name; its count is its description.
      title={waiting > 0 ? `${waiting} waiting` : undefined}
      className={className}
      onClick={onClick}
    >
      <Icon name={item.icon} {...(size ? { size } : {})} />
      {item.label}
      {waiting > 0 && (
        <span
          aria-hidden
          className={`num rounded-sm bg-accent-soft px-1 text-xs font-medium text-accent ${size ? 'absolute top-1 left-1/2 ml-2.5' : 'ml-auto'}`}
        >
          {waiting}
        </span>
      )}
      <span aria-hidden className="text-2xs text-faint uppercase first-of-type:ml-auto max-md:hidden">
        g {item.key}
      </span>
    </Link>
  )
}
