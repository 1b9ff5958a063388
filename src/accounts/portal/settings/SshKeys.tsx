import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LoadedSection, type SectionHead } from '../../../ui/screens/LoadedSection.tsx'
import { Button, IconButton } from '../../../ui/components/Button.tsx'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { EmptySkeleton } from '../../../ui/components/Skeleton.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { SshKey } from '../../contract.ts'
import { SSH_KEYS_MAX } from '../../policy.ts'
import { accounts } from '../api.ts'
import { NewSshKey } from './NewSshKey.tsx'
import { useReread } from './use-refetch.ts'
import { actionsColumn } from '../../../ui/components/actions-column.ts'

type DialogState = { readonly kind: 'add' } | { readonly kind: 'remove'; readonly key: SshKey }

const HEAD: SectionHead = {
  title: 'SSH keys',
  summary: 'Added to new routers. Existing routers keep the keys they were created with.',
}

export const SshKeys = () => (
  <LoadedSection head={HEAD} loading={<EmptySkeleton />}>
    <OwnKeys />
  </LoadedSection>
)

function OwnKeys() {
  const { data } = useSuspenseQuery(accounts.query['GET /api/user/ssh_keys']())
  const reread = useReread('GET /api/user/ssh_keys')
  const [dialog, setDialog] = useState<DialogState | null>(null)
  const done = () => setDialog(null)
  const finish = async () => {
    await reread()
    done()
  }
  const add = (
    <Button
      icon="plus"
      disabledReason={data.length >= SSH_KEYS_MAX ? `Limit of ${SSH_KEYS_MAX} reached. Remove one first.` : null}
      onClick={() => setDialog({ kind: 'add' })}
    >
      Add SSH key
    </Button>
  )
  return (
    <Section {...HEAD} actions={data.length > 0 && add}>
      <DataTable
        label="SSH keys"
        columns={columns((key) => setDialog({ kind: 'remove', key }))}
        rows={data}
        rowKey={(key) => key.id}
        empty={
          <EmptyState icon="key" title="No SSH keys yet" action={add}>
            Add a public key, for example <code className="font-mono text-sm">~/.ssh/id_ed25519.pub</code>, to log in to
            your next router from its first boot.
          </EmptyState>
        }
      />
      {dialog?.kind === 'add' && <NewSshKey onDone={() => void finish()} onClose={done} />}
      {dialog?.kind === 'remove' && (
        <Confirm
          open
          onClose={done}
          title={`Remove “${dialog.key.name}”?`}
          consequences={['New routers will not accept it.', 'Existing routers still accept it.']}
          action="Remove SSH key"
          danger
          onConfirm={async () => {
            await accounts.call['DELETE /api/user/ssh_keys/{id}']({ params: { id: dialog.key.id } })
            await reread()
          }}
        />
      )}
    </Section>
  )
}

const columns = (onRemove: (key: SshKey) => void): Column<SshKey>[] => [
  { id: 'name', header: 'Name', cell: (key) => <span className="font-medium">{key.name}</span> },
  { id: 'type', header: 'Type', cell: (key) => <span className="font-mono text-xs">{key.type}</span>, wideOnly: true },
  {
    id: 'fingerprint',
    header: 'Fingerprint',
    cell: (key) => <Copyable value={key.fingerprint} what={`the fingerprint of ${key.name}`} />,
  },
  { id: 'added', header: 'Added', cell: (key) => <Time at={key.createdAt} /> },
  actionsColumn((key) => (
    <IconButton changes icon="trash" label={`Remove ${key.name}`} onClick={() => onRemove(key)} />
  )),
]
