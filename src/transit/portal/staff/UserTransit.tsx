import { Link } from '@tanstack/react-router'
import { formatAsn } from '../../../kernel/asn.ts'
import { buttonClass } from '../../../ui/components/button-variants.ts'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { useStaffDenial } from '../../../ui/staff/staff-denial.ts'
import { AsnState } from '../../../accounts/portal/staff/AsnDetail.tsx'
import type { DetailedUser } from '../../../accounts/portal/staff/user-documents.ts'

/** The ASN, whether it is verified, and how to verify it. */
export function UserTransit({ user }: { user: DetailedUser }) {
  const linkDenial = useStaffDenial('support', user.databaseId)
  const transit = user.ipTransit
  const asn = transit?.asn ?? null
  const verified = transit?.asnVerifiedAt ?? null
  return (
    <Section
      title="IP transit"
      actions={
        <Link
          to="/admin/users/$id/asn_verifications/new"
          params={{ id: user.databaseId }}
          className={buttonClass(asn !== null && !verified ? 'primary' : 'plain')}
        >
          Send ASN Verification
        </Link>
      }
    >
      <PropertyTable
        items={[
          { label: 'ASN', value: asn === null ? none('not set') : <Copyable value={formatAsn(asn)} /> },
          {
            label: 'Verified',
            value:
              asn === null ? (
                none('—')
              ) : (
                <span className="flex flex-wrap items-center gap-x-2">
                  <AsnState verified={verified !== null} />
                  {verified && <Time at={verified} />}
                </span>
              ),
          },
          { label: 'AS-SET', value: transit?.asSet ? <Copyable value={transit.asSet} /> : none('none') },
          {
            label: 'Router',
            value: transit?.transitableRouter ? (
              <Link to="/admin/routers/$id" params={{ id: transit.transitableRouter.databaseId }} className="link">
                {transit.transitableRouter.name}
              </Link>
            ) : (
              none('no router assigned')
            ),
          },
          {
            label: 'Verification link',
            value: transit?.asnVerificationLink ? (
              <Copyable value={transit.asnVerificationLink} what="verification link" />
            ) : (
              none(verified ? 'none: the ASN is verified' : (linkDenial ?? 'none pending'))
            ),
            wide: true,
          },
        ]}
      />
    </Section>
  )
}

const none = (words: string) => <span className="text-faint">{words}</span>
