import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LoadedSection, type SectionHead } from '../../../portal/screens/LoadedSection.tsx'
import { Button, IconButton } from '../../../portal/ui/Button.tsx'
import { Confirm } from '../../../portal/ui/Confirm.tsx'
import { DataTable, type Column } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import { EmptySkeleton } from '../../../portal/ui/Skeleton.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import type { Passkey } from '../../contract.ts'
import { PASSKEYS_MAX } from '../../policy.ts'
import { accounts } from '../api.ts'
import { useProve } from '../proof/prove.ts'
import { NewPasskey } from './NewPasskey.tsx'
import { RenamePasskey } from './RenamePasskey.tsx'
import { useReread } from './use-reread.ts'

type Act = { readonly kind: 'add' } | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey }

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
  const prove = useProve()
  const reread = useReread('GET /api/user/passkeys')
  const [act, setAct] = useState<Act | null>(null)
  const done = () => setAct(null)
  const begin = async (next: Act) => {
    if (await prove()) setAct(next)
  }
  const finish = async () => {
    await reread()
    done()
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
          kind === 'rename' ? setAct({ kind, passkey }) : void begin({ kind, passkey }),
        )}
        rows={data}
        rowKey={(passkey) => passkey.id}
        empty={
          <EmptyState icon="key" title="No passkeys yet" action={add}>
            The safest and fastest way to sign in. Create one on each device, or store it in your password manager.
          </EmptyState>
        }
      />
      {act?.kind === 'add' && <NewPasskey onDone={() => void finish()} onClose={done} />}
      {act?.kind === 'rename' && <RenamePasskey passkey={act.passkey} onDone={() => void finish()} onClose={done} />}
      {act?.kind === 'remove' && (
        <Confirm
          open
          onClose={done}
          title={`Remove “${act.passkey.name}”?`}
          consequences={[
            'It can no longer sign in to your account.',
            'Your device may still list it. Remove it there too.',
          ]}
          action="Remove passkey"
          danger
          onConfirm={async () => {
            await accounts.call['DELETE /api/user/passkeys/{id}']({ params: { id: act.passkey.id } })
            await reread()
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
  {
    id: 'actions',
    header: 'Actions',
    hiddenHeader: true,
    align: 'right',
    cell: (passkey) => (
      <span className="inline-flex gap-1">
        <IconButton changes icon="edit" label={`Rename ${passkey.name}`} onClick={() => onAct('rename', passkey)} />
        <IconButton changes icon="trash" label={`Remove ${passkey.name}`} onClick={() => onAct('remove', passkey)} />
      </span>
    ),
  },
]
