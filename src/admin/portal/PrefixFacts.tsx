import { Link } from '@tanstack/react-router'
import { formatAsn } from '../../kernel/asn.ts'
import { Absent } from '../../portal/ui/Absent.tsx'
import { Copyable } from '../../portal/ui/Copyable.tsx'
import { PropertyTable } from '../../portal/ui/PropertyTable.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import { STATE_LOOK } from '../../routers/portal/router-state-look.ts'
import type { AdminTransitPrefix } from '../../transit/contract.ts'
import { AsnState } from './AsnFact.tsx'
import type { DetailedPrefix } from './documents/prefixes.ts'
import { LookBadge } from './LookBadge.tsx'
import { fullName } from './person.ts'
import { CHECK_LOOK, TYPE_WORDS } from '../../transit/portal/prefix-words.ts'

export function PrefixFacts({
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
        { label: 'RPKI', value: <LookBadge look={CHECK_LOOK[prefix.rpkiStatus]} /> },
        { label: 'IRR', value: <LookBadge look={CHECK_LOOK[prefix.irrStatus]} /> },
        { label: 'Type', value: TYPE_WORDS[prefix.announcementType] },
        { label: 'Router', value: router ? <RouterFact router={router} /> : none },
        { label: 'Requested', value: <Time at={prefix.createdAt} /> },
        { label: 'Checked', value: <Time at={prefix.checkedAt} none="not yet" /> },
        { label: 'Imported', value: <Time at={prefix.importedAt} none="not on the edge" /> },
        { label: 'ID', value: <Copyable value={String(prefix.id)} what="id" /> },
      ]}
    />
  )
}

const none = <Absent />

const RouterFact = ({ router }: { router: NonNullable<DetailedPrefix['ipTransit']['transitableRouter']> }) => (
  <span className="flex flex-wrap items-center gap-x-2">
    <Link to="/admin/routers/$id" params={{ id: router.databaseId }} className="link">
      {router.name}
    </Link>
    <LookBadge look={STATE_LOOK[router.state]} />
  </span>
)
