import { Link } from '@tanstack/react-router'
import { commandKey } from '../runtime/shortcuts.ts'
import { Icon } from '../components/Icon.tsx'
import { Kbd } from '../components/Kbd.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { NavLink } from './NavLink.tsx'
import { NAV_ITEMS, STAFF_HOME, STAFF_NAV_ITEMS, type NavItem } from './navigation.ts'
import type { FrameProps } from './frame-props.ts'
import { Wordmark } from './Wordmark.tsx'

export function Sidebar({ user, onOpen, onSignOut }: FrameProps) {
  const staffFirst = user.isAdmin && user.asnVerifiedAt === null
  const staff = user.isAdmin && <Group name="Staff" items={[STAFF_HOME, ...STAFF_NAV_ITEMS]} />
  return (
    <header className="sticky top-0 flex h-dvh flex-col overflow-y-auto border-r border-line bg-sunken px-3 py-3.5 max-md:hidden">
      <Link to="/" className="mb-3.5 self-start rounded-md px-1.5 py-0.5">
        <Wordmark />
      </Link>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => onOpen('palette')}
        className="mb-4 flex h-8 items-center gap-2 rounded-md border border-line-strong bg-surface pr-1.5 pl-2.5 text-sm text-faint hover:border-edge hover:text-dim"
      >
        <Icon name="search" size={14} />
        <span className="flex-1 text-left">Jump to</span>
        <Kbd>{commandKey === '⌘' ? '⌘K' : 'Ctrl K'}</Kbd>
      </button>
      <nav aria-label="Main" className="flex flex-col gap-0.5">
        {/* Staff without an ASN have nothing among the customer's screens: their own work comes first. */}
        {staffFirst && staff}
        <Group items={NAV_ITEMS} />
        {!staffFirst && staff}
      </nav>
      <div className="mt-auto pt-6">
        <AccountMenu user={user} onOpen={onOpen} onSignOut={onSignOut} />
      </div>
    </header>
  )
}

const Group = ({ name, items }: { name?: string; items: readonly NavItem[] }) => (
  <div className="mt-4 grid gap-0.5 first:mt-0">
    {name && <p className="mb-1 px-2.5 text-xs font-medium text-faint">{name}</p>}
    {items.map((item) => (
      <SidebarLink key={item.to} item={item} />
    ))}
  </div>
)

const SidebarLink = ({ item }: { item: NavItem }) => (
  <NavLink
    item={item}
    className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-base text-dim hover:bg-hover hover:text-ink here:bg-accent-soft here:font-medium here:text-accent"
  />
)
