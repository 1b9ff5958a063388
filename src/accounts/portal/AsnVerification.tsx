import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatAsn } from '../../kernel/asn.ts'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Callout } from '../../ui/components/Callout.tsx'
import { SectionErrorBoundary } from '../../ui/screens/SectionErrorBoundary.tsx'
import { PageHeader, Panel } from '../../ui/components/PageHeader.tsx'
import { BlockSkeleton, Skeleton } from '../../ui/components/Skeleton.tsx'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { Time } from '../../ui/components/Time.tsx'
import type { CurrentUser } from '../../ui/runtime/session.ts'
import { accounts } from './api.ts'
import { AsnForm } from './AsnForm.tsx'
import { AsnVerificationStatus } from './asn/AsnVerificationStatus.tsx'
import { statusBadge } from './asn/proof-labels.ts'
import { ProofMenu } from './asn/ProofMenu.tsx'
import { RegistryTimes } from './asn/RegistryTimes.tsx'

/** Shows the state of an ASN verification and what the user can do now. */
export function AsnVerification({ user }: { user: CurrentUser }) {
  const verified = user.asnVerifiedAt !== null
  return (
    <div className="max-w-3xl">
      <PageHeader
        title="Verify your ASN"
        summary={
          verified
            ? 'Your ASN is verified. A second proof keeps it verified when the first expires.'
            : 'Routers and transit require an autonomous system number. Verify in one of these ways that the ASN is yours.'
        }
        actions={
          verified ? (
            <Link to="/" className={buttonClass('primary')}>
              Go to your routers
            </Link>
          ) : null
        }
      />
      {user.isAdmin && !verified && (
        <div className="mb-4">
          <Callout title="This page is for your own ASN">
            Customers’ routers are under{' '}
            <Link to="/admin/routers/" className="link">
              Routers
            </Link>
            , their prefixes under{' '}
            <Link to="/admin/prefixes/" className="link">
              Prefixes
            </Link>
            . To see the portal as a customer, open them under{' '}
            <Link to="/admin/users/" className="link">
              Customers
            </Link>{' '}
            and choose “View as customer”.
          </Callout>
        </div>
      )}
      <SectionErrorBoundary loading={<ProofsSkeleton />}>
        <Proofs />
      </SectionErrorBoundary>
    </div>
  )
}

function Proofs() {
  const { data } = useSuspenseQuery(accounts.query['GET /api/user/asn_proofs']())
  const [changes, setChanges] = useState(false)
  const verified = data.asnVerifiedAt !== null
  return (
    <>
      {data.asn === null || changes ? (
        <Panel className="mb-6 p-5">
          <AsnForm asn={data.asn} verified={verified} onDone={() => setChanges(false)} />
        </Panel>
      ) : (
        <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
          <p className="font-mono text-lg font-semibold">{formatAsn(data.asn)}</p>
          <StatusBadge {...statusBadge(data)} note={!data.risk && <Time at={data.asnVerifiedAt} none="" />} />
          <RegistryTimes proofs={data} />
          <Button changes size="sm" className="ml-auto" onClick={() => setChanges(true)}>
            Change
          </Button>
        </div>
      )}
      <div className="mb-6 empty:hidden">
        <AsnVerificationStatus proofs={data} />
      </div>
      <ProofMenu proofs={data} verified={verified} />
    </>
  )
}

const ProofsSkeleton = () => (
  <>
    <Skeleton className="mb-4 h-8 w-60" />
    <Skeleton className="mb-2 h-5 w-32" />
    <BlockSkeleton className="h-120" />
  </>
)
