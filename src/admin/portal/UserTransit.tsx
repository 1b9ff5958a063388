import { Link } from '@tanstack/react-router'
import { formatAsn } from '../../kernel/asn.ts'
import { buttonLook } from '../../portal/ui/button-look.ts'
import { Copyable } from '../../portal/ui/Copyable.tsx'
import { Section } from '../../portal/ui/PageHeader.tsx'
import { PropertyTable } from '../../portal/ui/PropertyTable.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import { AsnState } from './AsnFact.tsx'
import type { DetailedUser } from './documents/users.ts'

/** The ASN, whether it is proved, and the way to have it proved. */
export function UserTransit({ user }: { user: DetailedUser }) {
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
          className={buttonLook(asn !== null && !verified ? 'primary' : 'plain')}
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
              none(verified ? 'used' : 'none pending')
            ),
            wide: true,
          },
        ]}
      />
    </Section>
  )
}

const none = (words: string) => <span className="text-faint">{words}</span>
