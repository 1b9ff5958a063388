import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { notify } from '../../ui/runtime/notifications.ts'
import { ConfirmByName } from '../../ui/components/ConfirmByName.tsx'
import type { RouterDetail } from '../contract.ts'
import { routers } from './api.ts'
import { cacheRouter } from './deleted-router.ts'
import { inWords } from './router-labels.ts'

export function DeleteRouter({ router, open, onClose }: { router: RouterDetail; open: boolean; onClose: () => void }) {
  const queries = useQueryClient()
  const navigation = useRouter()
  const remove = async () => {
    const answer = await routers.call['DELETE /api/virtual_machines/{id}']({ params: { id: router.id } })
    // Leaves the router's own page, which is about to disappear.
    await navigation.navigate({ to: '/' })
    cacheRouter(queries, answer)
    notify({
      type: 'success',
      title: answer.purgeAt === null ? `${router.name} is being deleted` : `${router.name} deleted`,
      ...(answer.purgeAt !== null && { body: `You can restore it for ${inWords(router.deletionGrace)}.` }),
    })
  }
  return (
    <ConfirmByName
      open={open}
      onClose={onClose}
      title={`Delete ${router.name}`}
      name={router.name}
      action="Delete router"
      consequences={consequencesOf(router)}
      onConfirm={remove}
    />
  )
}

function consequencesOf({ addresses, sessions, labels, deletionGrace }: RouterDetail): string[] {
  const own = addresses.map(({ address }) => address).join(' and ')
  return [
    ...(deletionGrace > 0
      ? [
          'The router is shut down immediately.',
          `You can restore it for ${inWords(deletionGrace)}. After that, its disk is erased and its addresses ${own} are released.`,
        ]
      : ['Its disk is erased. This can’t be undone.', `Its addresses ${own} are released and may be reassigned.`]),
    ...(sessions.length > 0 ? ['Its BGP sessions end and its prefixes are no longer announced.'] : []),
    `Billing for plan ${labels.plan} ends with the current hour.`,
  ]
}
