import { Link } from '@tanstack/react-router'
import { formatAsn } from '../../../kernel/asn.ts'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { STATE_BADGE } from '../../../routers/portal/router-state-variants.ts'
import type { AdminTransitPrefix } from '../../contract.ts'
import { AsnState } from '../../../accounts/portal/staff/AsnDetail.tsx'
import { memberInWords, setInWords } from './prefix-decisions.ts'
import type { DetailedPrefix } from './prefix-documents.ts'
import { ToneBadge } from '../../../ui/staff/ToneBadge.tsx'
import { fullName } from '../../../accounts/portal/staff/user-name.ts'
import { CHECK_BADGE, CONSENT_BADGE, OWNERSHIP_BADGE, TYPE_LABELS } from '../prefix-labels.ts'

export function PrefixDetails({
  prefix,
  router,
}: {
  prefix: AdminTransitPrefix
  router: DetailedPrefix['ipTransit']['transitableRouter']
}) {
  return (
    <PropertyTable
      items={[
        {
          label: 'User',
          value: (
            <Link to="/admin/users/$id" params={{ id: prefix.user.id }} className="link">
              {fullName(prefix.user)}
            </Link>
          ),
        },
        {
          label: 'ASN',
          value:
            prefix.asn === null ? (
              none
            ) : (
              <span className="flex flex-wrap items-center gap-x-2">
                <Copyable value={formatAsn(prefix.asn)} />
                <AsnState verified={prefix.asnVerifiedAt !== null} />
              </span>
            ),
        },
        { label: 'Origin', value: prefix.originAsn === null ? none : <Copyable value={formatAsn(prefix.originAsn)} /> },
        { label: 'AS-SET', value: prefix.asSet ? <Copyable value={prefix.asSet} /> : none },
        ...downstreamItems(prefix),
        { label: 'RPKI', value: <ToneBadge badge={CHECK_BADGE[prefix.rpkiStatus]} /> },
        { label: 'IRR', value: <ToneBadge badge={CHECK_BADGE[prefix.irrStatus]} /> },
        { label: 'Type', value: TYPE_LABELS[prefix.announcementType] },
        { label: 'Router', value: router ? <RouterDetail router={router} /> : none },
        { label: 'Requested', value: <Time at={prefix.createdAt} /> },
        { label: 'Checked', value: <Time at={prefix.checkedAt} none="not yet" /> },
        { label: 'Imported', value: <Time at={prefix.importedAt} none="not on the edge" /> },
        { label: 'ID', value: <Copyable value={String(prefix.id)} what="id" /> },
      ]}
    />
  )
}

/** The owner of the AS-SET that permits it, and whether its origin agreed. */
const downstreamItems = ({ downstream }: AdminTransitPrefix) =>
  downstream
    ? [
        {
          label: 'Set owner',
          wide: true,
          value: (
            <span className="flex flex-wrap items-center gap-x-2 text-sm">
              <ToneBadge badge={OWNERSHIP_BADGE[downstream.set.ownership]} />
              {setInWords(downstream.set)}
            </span>
          ),
        },
        ...(downstream.member
          ? [
              {
                label: 'Membership',
                wide: true,
                value: <span className="text-sm">{memberInWords(downstream.member)}</span>,
              },
            ]
          : []),
        ...(downstream.consent
          ? [
              {
                label: 'Agreement',
                wide: true,
                value: (
                  <span className="flex flex-wrap items-center gap-x-2 text-sm">
                    <ToneBadge badge={CONSENT_BADGE[downstream.consent.status]} />
                    {downstream.consent.detail}
                  </span>
                ),
              },
            ]
          : []),
      ]
    : []

const none = <EmptyValue />

const RouterDetail = ({ router }: { router: NonNullable<DetailedPrefix['ipTransit']['transitableRouter']> }) => (
  <span className="flex flex-wrap items-center gap-x-2">
    <Link to="/admin/routers/$id" params={{ id: router.databaseId }} className="link">
      {router.name}
    </Link>
    <ToneBadge badge={STATE_BADGE[router.state]} />
  </span>
)
