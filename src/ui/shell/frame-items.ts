import type { PaletteItem } from '../runtime/palette.ts'
import { NAV_ITEMS, STAFF_HOME, STAFF_NAV_ITEMS } from './navigation.ts'
import type { Overlay } from './frame-props.ts'

/** Screens and actions of the frame itself: in the palette at once, whatever its sources do. */
export function frameItems(
  staff: boolean,
  open: (overlay: Overlay) => void,
  onSignOut: () => void,
): readonly PaletteItem[] {
  const items = staff ? [...NAV_ITEMS, STAFF_HOME, ...STAFF_NAV_ITEMS] : NAV_ITEMS
  return [
    ...items.map((item): PaletteItem => ({
      id: `go-${item.key}`,
      label: item.label,
      group: 'Screen',
      icon: item.icon,
      href: item.to,
    })),
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
