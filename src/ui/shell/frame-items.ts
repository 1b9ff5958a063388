import type { PaletteItem } from '../runtime/palette.ts'
import { navigationOf, type NavItem } from './navigation.ts'
import type { CurrentUser } from '../runtime/session.ts'
import type { Overlay } from './frame-props.ts'

/** Returns the palette items of the app frame itself: available at once, whatever the sources do. */
export function frameItems(
  user: CurrentUser,
  open: (overlay: Overlay) => void,
  onSignOut: () => void,
): readonly PaletteItem[] {
  const { own, staff } = navigationOf(user)
  const screen = (item: NavItem, group: string): PaletteItem => ({
    id: `go-${item.key}`,
    label: item.label,
    group,
    icon: item.icon,
    keys: ['g', item.key],
    href: item.to,
  })
  return [
    ...own.map((item) => screen(item, 'Screen')),
    ...staff.map((item) => screen(item, 'Admin')),
    { id: 'create-router', label: 'Create a router', group: 'Action', icon: 'plus', href: '/routers/new' },
    {
      id: 'api-reference',
      label: 'API Reference',
      group: 'Screen',
      icon: 'terminal',
      keywords: 'openapi rest calls curl documentation',
      href: '/api-reference',
    },
    { id: 'support', label: 'Contact support', group: 'Action', icon: 'help', run: () => open('support') },
    {
      id: 'keys',
      label: 'Keyboard shortcuts',
      group: 'Action',
      icon: 'info',
      keywords: 'keyboard shortcuts help',
      run: () => open('keys'),
    },
    { id: 'sign-out', label: 'Sign out', group: 'Action', icon: 'exit', keywords: 'log out leave', run: onSignOut },
  ]
}
