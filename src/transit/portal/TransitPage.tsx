import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { VerificationRiskNotice } from '../../accounts/portal/asn/AsnVerificationStatus.tsx'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { PageHeader } from '../../ui/components/PageHeader.tsx'
import { ownConnection, ownPrefixes } from './api.ts'
import { ConnectionNotices } from './ConnectionNotices.tsx'
import { ConnectionSection } from './ConnectionSection.tsx'
import { TransitTopology } from './OwnTopology.tsx'
import MaintenanceNotices from './maintenance/MaintenanceNotices.tsx'
import { PrefixSection } from './PrefixSection.tsx'
import { BlackholeSection } from './controls/BlackholeSection.tsx'
import { ControlNotices } from './controls/ControlNotices.tsx'
import { SessionHistory } from './SessionHistory.tsx'

export function TransitPage() {
  const { data: connection } = useSuspenseQuery(ownConnection())
  const { data: prefixes } = useSuspenseQuery(ownPrefixes())
  return (
    <>
      <PageHeader
        title="IP Transit"
        actions={
          <Link to="/transit/routes" className={buttonClass()}>
            Routes
          </Link>
        }
      />
      {connection.risk && (
        <div className="mb-4">
          <VerificationRiskNotice
            risk={connection.risk}
            action={
              <Link to="/awaiting-verification" className={buttonClass()}>
                Verify it
              </Link>
            }
          />
        </div>
      )}
      <div className="mb-5 grid gap-3 empty:hidden [&:empty+section]:mt-0">
        <MaintenanceNotices of="transit" className="" />
        <ControlNotices connection={connection} />
        <ConnectionNotices connection={connection} />
      </div>
      <TransitTopology connection={connection} prefixes={prefixes} />
      <PrefixSection connection={connection} prefixes={prefixes} />
      <ConnectionSection connection={connection} prefixes={prefixes} />
      <BlackholeSection />
      <SessionHistory />
    </>
  )
}
