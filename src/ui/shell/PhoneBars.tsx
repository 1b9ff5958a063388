import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../components/Button.tsx'
import { NavLink } from './NavLink.tsx'
import { phoneItemsOf } from './navigation.ts'
import type { FrameProps } from './frame-props.ts'
import { Wordmark } from './Wordmark.tsx'

const loadMenu = () => import('./PhoneMenu.tsx')
const PhoneMenu = lazy(loadMenu)

/** The app frame on a phone: the current page at the top, the navigation within reach of the thumb. */
export function PhoneBars({ user, onOpen, onSignOut }: FrameProps) {
  const [more, setMore] = useState(false)
  const open: FrameProps['onOpen'] = (overlay) => {
    setMore(false)
    onOpen(overlay)
  }
  return (
    <>
      <header className="sticky top-0 z-20 flex h-12 items-center justify-between border-b border-line bg-sunken pr-2 pl-4 md:hidden">
        <Link to="/" className="flex">
          <Wordmark />
        </Link>
        <div className="flex">
          <IconButton icon="search" label="Jump to" onClick={() => onOpen('palette')} />
          <IconButton icon="menu" label="More" onPointerDown={() => void loadMenu()} onClick={() => setMore(true)} />
        </div>
      </header>
      <nav
        aria-label="Main"
        className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-sunken pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {phoneItemsOf(user).map((item) => (
          <NavLink
            key={item.to}
            item={item}
            size={18}
            className="relative flex h-14 flex-1 flex-col items-center justify-center gap-1 text-2xs font-medium text-dim here:text-accent"
          />
        ))}
      </nav>
      {more && (
        <Suspense>
          <PhoneMenu user={user} onOpen={open} onSignOut={onSignOut} onClose={() => setMore(false)} />
        </Suspense>
      )}
    </>
  )
}
