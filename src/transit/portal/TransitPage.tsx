import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DoubtNotice } from '../../accounts/portal/asn/AsnStanding.tsx'
import { buttonLook } from '../../portal/ui/button-look.ts'
import { PageHeader } from '../../portal/ui/PageHeader.tsx'
import { ownConnection, ownPrefixes } from './api.ts'
import { ConnectionSection } from './ConnectionSection.tsx'
import { PrefixSection } from './PrefixSection.tsx'

export function TransitPage() {
  const { data: connection } = useSuspenseQuery(ownConnection())
  const { data: prefixes } = useSuspenseQuery(ownPrefixes())
  return (
    <>
      <PageHeader title="IP Transit" />
      {connection.doubt && (
        <div className="mb-4">
          <DoubtNotice
            doubt={connection.doubt}
            action={
              <Link to="/awaiting-verification" className={buttonLook()}>
                Verify it
              </Link>
            }
          />
        </div>
      )}
      <ConnectionSection connection={connection} prefixes={prefixes} />
      <PrefixSection connection={connection} prefixes={prefixes} />
    </>
  )
}
