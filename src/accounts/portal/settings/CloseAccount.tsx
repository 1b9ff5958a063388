import { useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { notify } from '../../../ui/runtime/notifications.ts'
import { clearUser } from '../../../ui/runtime/session.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { ConfirmByName } from '../../../ui/components/ConfirmByName.tsx'
import { accounts } from '../api.ts'
import { useConfirmIdentity } from '../proof/prove.ts'

/** The server reports what prevents closing; it asks every slice. */
export function CloseAccount({ email }: { email: string }) {
  const { data } = useSuspenseQuery(accounts.query['GET /api/user/close']())
  const confirmIdentity = useConfirmIdentity()
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const blockers = data.blockers.join(' ')

  const close = async () => {
    await accounts.call['POST /api/user/close']({ body: { email } })
    clearUser()
    await router.navigate({ to: '/login' })
    notify({ type: 'success', title: 'Your account is closed', body: 'We sent a confirmation email.' })
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-bad/40 p-4">
      <p className="max-w-[60ch] text-sm text-dim">
        {blockers ||
          'Permanently closes your account and frees your ASN for another account. Invoices are kept as required by law.'}
      </p>
      <Button
        variant="risk"
        disabledReason={blockers || null}
        onClick={() => void confirmIdentity().then((confirmed) => setOpen(confirmed))}
      >
        Close account
      </Button>
      <ConfirmByName
        open={open}
        onClose={() => setOpen(false)}
        title="Close your account"
        name={email}
        consequences={[
          'All sessions, tokens, passkeys and SSH keys stop working.',
          'Your ASN and its prefixes are released.',
          'This can’t be undone. A new account starts empty.',
        ]}
        action="Close account"
        onConfirm={close}
      />
    </div>
  )
}
