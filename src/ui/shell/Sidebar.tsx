import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { commandKey } from '../runtime/shortcuts.ts'
import { Icon } from '../components/Icon.tsx'
import { Kbd } from '../components/Kbd.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { NavLink } from './NavLink.tsx'
import { navigationOf, type NavItem } from './navigation.ts'
import type { FrameProps } from './frame-props.ts'
import { Wordmark } from './Wordmark.tsx'

export function Sidebar({ user, onOpen, onSignOut }: FrameProps) {
  const { own, staff } = navigationOf(user)
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
        {staff[0] && (
          <Group items={staff}>
            <Link to="/admin" activeOptions={{ exact: true }} className="hover:text-ink">
              Admin
            </Link>
          </Group>
        )}
        <Group items={own}>{staff[0] && 'Your account'}</Group>
      </nav>
      <div className="mt-auto pt-6">
        <AccountMenu user={user} onOpen={onOpen} onSignOut={onSignOut} />
      </div>
    </header>
  )
}

const Group = ({ items, children }: { items: readonly NavItem[]; children: ReactNode }) => (
  <div className="mt-4 grid gap-0.5 first:mt-0">
    {children && <p className="mb-1 px-2.5 text-xs font-medium text-faint">{children}</p>}
    {items.map((item) => (
      <NavLink
        key={item.to}
        item={item}
        className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-base text-dim hover:bg-hover hover:text-ink here:bg-accent-soft here:font-medium here:text-accent"
      />
    ))}
  </div>
)
