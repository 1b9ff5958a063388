import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { LoadedSection, type SectionHead } from '../../../ui/screens/LoadedSection.tsx'
import { Button, IconButton } from '../../../ui/components/Button.tsx'
import { Confirm } from '../../../ui/components/Confirm.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { EmptySkeleton } from '../../../ui/components/Skeleton.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { ApiToken } from '../../contract.ts'
import { API_TOKENS_MAX } from '../../policy.ts'
import { accounts } from '../api.ts'
import { useConfirmIdentity } from '../proof/prove.ts'
import { NewToken } from './NewToken.tsx'
import { describeScopes } from './scope-labels.ts'
import { TokenSecret } from './TokenSecret.tsx'
import { useReread } from './use-refetch.ts'
import { actionsColumn } from '../../../ui/components/actions-column.ts'

type DialogState =
  | { readonly kind: 'make' }
  | { readonly kind: 'shown' | 'revoke'; readonly token: ApiToken & { token?: string } }

const HEAD: SectionHead = {
  title: 'API tokens',
  summary: (
    <>
      For programs. Sent as <code className="font-mono text-xs">Authorization: Bearer …</code> to{' '}
      <Link to="/api-reference" className="link">
        the API
      </Link>
      .
    </>
  ),
}

export const ApiTokens = () => (
  <LoadedSection head={HEAD} loading={<EmptySkeleton />}>
    <OwnTokens />
  </LoadedSection>
)

function OwnTokens() {
  const { data } = useSuspenseQuery(accounts.query['GET /api/user/api_tokens']())
  const confirmIdentity = useConfirmIdentity()
  const reread = useReread('GET /api/user/api_tokens')
  const [dialog, setDialog] = useState<DialogState | null>(null)
  const make = (
    <Button
      icon="plus"
      disabledReason={data.length >= API_TOKENS_MAX ? `Limit of ${API_TOKENS_MAX} reached. Revoke one first.` : null}
      onClick={() => void confirmIdentity().then((confirmed) => confirmed && setDialog({ kind: 'make' }))}
    >
      New token
    </Button>
  )
  return (
    <Section {...HEAD} actions={data.length > 0 && make}>
      <DataTable
        label="API tokens"
        columns={columns((token) => setDialog({ kind: 'revoke', token }))}
        rows={data}
        rowKey={(token) => token.id}
        empty={
          <EmptyState icon="terminal" title="No tokens yet" action={make}>
            Give Terraform, a script or your monitoring limited, time-bound access.
          </EmptyState>
        }
      />
      {dialog?.kind === 'make' && (
        <NewToken
          onClose={() => setDialog(null)}
          onMade={(token) => {
            setDialog({ kind: 'shown', token })
            void reread()
          }}
        />
      )}
      {dialog?.kind === 'shown' && <TokenSecret secret={dialog.token.token ?? ''} onClose={() => setDialog(null)} />}
      {dialog?.kind === 'revoke' && (
        <Confirm
          open
          onClose={() => setDialog(null)}
          title={`Revoke “${dialog.token.name}”?`}
          consequences={[
            'Programs that use it lose access immediately.',
            'This can’t be undone. You can create a new token.',
          ]}
          action="Revoke token"
          danger
          onConfirm={async () => {
            await accounts.call['DELETE /api/user/api_tokens/{id}']({ params: { id: dialog.token.id } })
            await reread()
          }}
        />
      )}
    </Section>
  )
}

const columns = (onRevoke: (token: ApiToken) => void): Column<ApiToken>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: (token) => (
      <span className="inline-flex flex-wrap items-center gap-2 font-medium">
        {token.name}
        {Date.parse(token.expiresAt) <= Date.now() && <StatusBadge tone="off">Expired</StatusBadge>}
      </span>
    ),
  },
  {
    id: 'scopes',
    header: 'Permissions',
    cell: (token) => <span className="text-sm">{describeScopes(token.scopes)}</span>,
  },
  {
    id: 'networks',
    header: 'Allowed from',
    cell: (token) => (
      <span className={token.networks.length > 0 ? 'font-mono text-xs wrap-anywhere' : 'text-sm text-dim'}>
        {token.networks.join(', ') || 'anywhere'}
      </span>
    ),
  },
  {
    id: 'used',
    header: 'Last used',
    cell: (token) => (
      <span className="text-sm">
        <Time at={token.lastUsedAt} none="never" />
        {token.lastUsedIp && <span className="ml-1.5 font-mono text-xs text-faint">{token.lastUsedIp}</span>}
      </span>
    ),
  },
  { id: 'expires', header: 'Expires', cell: (token) => <Time at={token.expiresAt} as="day" /> },
  actionsColumn((token) => (
    <IconButton changes icon="trash" label={`Revoke ${token.name}`} onClick={() => onRevoke(token)} />
  )),
]
