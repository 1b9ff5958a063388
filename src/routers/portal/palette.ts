import { queryClient } from '../../ui/live/query-client.ts'
import type { PaletteItem, PaletteSource } from '../../ui/runtime/palette.ts'
import { session } from '../../ui/runtime/session.ts'
import type { Router } from '../contract.ts'
import { routerList } from './api.ts'
import { STATE_BADGE } from './router-state-variants.ts'

/** Each router with its console, found by name, address and state. Staff never open a customer's console. */
export const routerPalette: PaletteSource = async () => {
  if (!session.current()?.asnVerifiedAt) return []
  return (await queryClient.ensureQueryData(routerList())).flatMap(itemsOf)
}

function itemsOf(router: Router): PaletteItem[] {
  const keywords = [router.uuid, router.labels.site, ...router.addresses.map(({ address }) => address)].join(' ')
  const hint = STATE_BADGE[router.state].label
  const way: PaletteItem[] = [
    {
      id: `router-${router.id}`,
      label: router.name,
      group: 'Router',
      icon: 'router',
      hint,
      keywords,
      href: `/routers/${router.id}`,
    },
  ]
  if (session.current()?.impersonation) return way
  return [
    ...way,
    {
      id: `console-${router.id}`,
      label: `${router.name} console`,
      group: 'Console',
      icon: 'terminal',
      keywords: `${keywords} serial display`,
      href: `/routers/${router.id}/display`,
    },
  ]
}
