import { useQueryClient } from '@tanstack/react-query'
import type { Router } from '../contract.ts'
import { routers } from './api.ts'
import { cacheRouter } from './deleted-router.ts'
import { RestoreRouter, type RestoreProps } from './RestoreRouter.tsx'

export default function RestoreOwnRouter({
  router,
  ...variant
}: { router: Router } & Pick<RestoreProps, 'size' | 'variant'>) {
  const queries = useQueryClient()
  return (
    // Above the link of the row in a list.
    <span className="relative z-1">
      <RestoreRouter
        {...variant}
        router={router}
        onRestore={async (name, submission) => {
          const input = { params: { id: router.id }, body: { name } }
          cacheRouter(queries, await routers.call['POST /api/virtual_machines/{id}/restore'](input, submission))
        }}
      />
    </span>
  )
}
