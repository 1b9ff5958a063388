import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { LoadedSection, type SectionHead } from '../../../ui/screens/LoadedSection.tsx'
import { Button, IconButton } from '../../../ui/components/Button.tsx'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { refreshUser, useUser } from '../../../ui/runtime/session.ts'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { EmptySkeleton } from '../../../ui/components/Skeleton.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { Passkey } from '../../contract.ts'
import { PASSKEYS_MAX } from '../../policy.ts'
import { accounts } from '../api.ts'
import { useConfirmIdentity } from '../proof/prove.ts'
import { NewPasskey } from './NewPasskey.tsx'
import { RenamePasskey } from './RenamePasskey.tsx'
import { useReread } from './use-refetch.ts'
import { actionsColumn } from '../../../ui/components/actions-column.ts'

const RecoveryCodes = lazy(() => import('./RecoveryCodes.tsx'))

type DialogState =
  | { readonly kind: 'add' }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }
  | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey }

const HEAD: SectionHead = {
  title: 'Passkeys',
  summary: 'Sign in with your fingerprint, face or a security key. Phishing-resistant.',
}

export const Passkeys = () => (
  <LoadedSection head={HEAD} loading={<EmptySkeleton />}>
    <OwnPasskeys />
  </LoadedSection>
)

function OwnPasskeys() {
  const { data } = useSuspenseQuery(accounts.query['GET /api/user/passkeys']())
  const user = useUser()
  const confirmIdentity = useConfirmIdentity()
  const reread = useReread('GET /api/user/passkeys')
  const [dialog, setDialog] = useState<DialogState | null>(null)
  const done = () => setDialog(null)
  const begin = async (next: DialogState) => {
    if (await confirmIdentity()) setDialog(next)
  }
  const finish = async (recoveryCodes: readonly string[] | null = null) => {
    await Promise.all([reread(), refreshUser()])
    setDialog(recoveryCodes && { kind: 'codes', codes: recoveryCodes })
  }
  const add = (
    <Button
      icon="plus"
      disabledReason={data.length >= PASSKEYS_MAX ? `Limit of ${PASSKEYS_MAX} reached. Remove one first.` : null}
      onClick={() => void begin({ kind: 'add' })}
    >
      Add passkey
    </Button>
  )
  return (
    <Section {...HEAD} actions={data.length > 0 && add}>
      <DataTable
        label="Passkeys"
        columns={columns((kind, passkey) =>
          kind === 'rename' ? setDialog({ kind, passkey }) : void begin({ kind, passkey }),
        )}
        rows={data}
        rowKey={(passkey) => passkey.id}
        empty={
          <EmptyState icon="key" title="No passkeys yet" action={add}>
            The safest and fastest way to sign in. Create one on each device, or store it in your password manager.
          </EmptyState>
        }
      />
      {dialog?.kind === 'add' && <NewPasskey onDone={(codes) => void finish(codes)} onClose={done} />}
      {dialog?.kind === 'codes' && (
        <Suspense>
          <RecoveryCodes codes={dialog.codes} onClose={done} />
        </Suspense>
      )}
      {dialog?.kind === 'rename' && (
        <RenamePasskey passkey={dialog.passkey} onDone={() => void finish()} onClose={done} />
      )}
      {dialog?.kind === 'remove' && (
        <Confirm
          open
          onClose={done}
          title={`Remove “${dialog.passkey.name}”?`}
          consequences={[
            'It can no longer sign in to your account.',
            ...(data.length === 1 && !user?.hasTotp
              ? ['Sign-in will require only your password.', 'Your recovery codes stop working.']
              : []),
            'Your device may still list it. Remove it there too.',
          ]}
          action="Remove passkey"
          danger
          onConfirm={async () => {
            await accounts.call['DELETE /api/user/passkeys/{id}']({ params: { id: dialog.passkey.id } })
            await Promise.all([reread(), refreshUser()])
          }}
        />
      )}
    </Section>
  )
}

const columns = (onAct: (kind: 'rename' | 'remove', passkey: Passkey) => void): Column<Passkey>[] => [
  { id: 'name', header: 'Name', cell: (passkey) => <span className="font-medium">{passkey.name}</span> },
  {
    id: 'kept',
    header: 'Stored',
    cell: (passkey) => (passkey.synced ? 'synced across devices' : 'on one device'),
  },
  { id: 'made', header: 'Added', cell: (passkey) => <Time at={passkey.createdAt} />, wideOnly: true },
  { id: 'used', header: 'Last used', cell: (passkey) => <Time at={passkey.lastUsedAt} none="never" /> },
  actionsColumn((passkey) => (
    <span className="inline-flex gap-1">
      <IconButton changes icon="edit" label={`Rename ${passkey.name}`} onClick={() => onAct('rename', passkey)} />
      <IconButton changes icon="trash" label={`Remove ${passkey.name}`} onClick={() => onAct('remove', passkey)} />
    </span>
  )),
]
