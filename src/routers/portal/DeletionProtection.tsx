import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/components/Button.tsx'
import type { RouterDetail } from '../contract.ts'
import { routers } from './api.ts'
import { cacheRouter } from './deleted-router.ts'
import { blockedReason } from './router-labels.ts'

/** Protects against a slip, so one press switches it: deleting still requires the name to be typed. */
export function DeletionProtection({ router }: { router: RouterDetail }) {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const on = router.deleteProtected
  const change = async () => {
    setBusy(true)
    try {
      const input = { params: { id: router.id }, body: { deleteProtected: !on } }
      cacheRouter(queries, await routers.call['PATCH /api/virtual_machines/{id}'](input))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="mt-2 flex flex-wrap items-center justify-between gap-3 rounded-md border border-line px-3 py-2.5">
      <p className="text-sm text-dim">
        {on
          ? 'Deletion protection is on. This router can’t be deleted or reinstalled.'
          : 'Deletion protection is off. Turn it on to prevent accidental deletion or reinstall.'}
      </p>
      <Button busy={busy} disabledReason={blockedReason(router, 'rename')} onClick={() => void change()}>
        {on ? 'Turn protection off' : 'Turn protection on'}
      </Button>
    </div>
  )
}
