import { useQueryClient } from '@tanstack/react-query'
import type { Router } from '../contract.ts'
import { routers } from './api.ts'
import { keepRouter } from './kept-router.ts'
import { RestoreRouter, type RestoreProps } from './RestoreRouter.tsx'

export default function RestoreOwnRouter({
  router,
  ...look
}: { router: Router } & Pick<RestoreProps, 'size' | 'look'>) {
  const queries = useQueryClient()
  return (
    <RestoreRouter
      {...look}
      router={router}
      onRestore={async (name, submission) => {
        const input = { params: { id: router.id }, body: { name } }
        keepRouter(queries, await routers.call['POST /api/virtual_machines/{id}/restore'](input, submission))
      }}
    />
  )
}
