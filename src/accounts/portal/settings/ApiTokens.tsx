import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { LoadedSection, type SectionHead } from '../../../portal/screens/LoadedSection.tsx'
import { Button, IconButton } from '../../../portal/ui/Button.tsx'
import { Confirm } from '../../../portal/ui/Confirm.tsx'
import { DataTable, type Column } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import { StatusBadge } from '../../../portal/ui/StatusBadge.tsx'
import { EmptySkeleton } from '../../../portal/ui/Skeleton.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import type { ApiToken } from '../../contract.ts'
import { API_TOKENS_MAX } from '../../policy.ts'
import { accounts } from '../api.ts'
import { useProve } from '../proof/prove.ts'
import { NewToken } from './NewToken.tsx'
import { describeScopes } from './scope-words.ts'
import { TokenSecret } from './TokenSecret.tsx'
import { useReread } from './use-reread.ts'

type Act =
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
  const prove = useProve()
  const reread = useReread('GET /api/user/api_tokens')
  const [act, setAct] = useState<Act | null>(null)
  const make = (
    <Button
      icon="plus"
      disabledReason={data.length >= API_TOKENS_MAX ? `Limit of ${API_TOKENS_MAX} reached. Revoke one first.` : null}
      onClick={() => void prove().then((proved) => proved && setAct({ kind: 'make' }))}
    >
      New token
    </Button>
  )
  return (
    <Section {...HEAD} actions={data.length > 0 && make}>
      <DataTable
        label="API tokens"
        columns={columns((token) => setAct({ kind: 'revoke', token }))}
        rows={data}
        rowKey={(token) => token.id}
        empty={
          <EmptyState icon="terminal" title="No tokens yet" action={make}>
            Give Terraform, a script or your monitoring limited, time-bound access.
          </EmptyState>
        }
      />
      {act?.kind === 'make' && (
        <NewToken
          onClose={() => setAct(null)}
          onMade={(token) => {
            setAct({ kind: 'shown', token })
            void reread()
          }}
        />
      )}
      {act?.kind === 'shown' && <TokenSecret secret={act.token.token ?? ''} onClose={() => setAct(null)} />}
      {act?.kind === 'revoke' && (
        <Confirm
          open
          onClose={() => setAct(null)}
          title={`Revoke “${act.token.name}”?`}
          consequences={[
            'Programs that use it lose access immediately.',
            'This can’t be undone. You can create a new token.',
          ]}
          action="Revoke token"
          danger
          onConfirm={async () => {
            await accounts.call['DELETE /api/user/api_tokens/{id}']({ params: { id: act.token.id } })
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
  {
    id: 'actions',
    header: 'Actions',
    hiddenHeader: true,
    align: 'right',
    cell: (token) => <IconButton changes icon="trash" label={`Revoke ${token.name}`} onClick={() => onRevoke(token)} />,
  },
]
