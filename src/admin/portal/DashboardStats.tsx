import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatAsn } from '../../kernel/asn.ts'
import { grouped } from '../../ui/components/quantity.ts'
import type { DashboardData } from './documents/dashboard.ts'

/** Makes all of a number's box its link. */
const WHOLE = 'outline-none after:absolute after:inset-0'

/** Numbers that link to their lists. */
export function DashboardStats({ data }: { data: DashboardData }) {
  const asns = new Set(
    data.approvedPrefixes.nodes.flatMap(({ ipTransit }) => (ipTransit.asn === null ? [] : [ipTransit.asn])),
  )
  // Only one page of prefixes was read: further ones may belong to more ASNs.
  const all = data.approvedPrefixes.nodes.length === data.approvedPrefixes.totalCount
  return (
    <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line lg:grid-cols-4">
      <Stat
        value={data.approvedPrefixes.totalCount}
        note={
          asns.size === 1 ? (
            `of ${formatAsn([...asns][0]!)}`
          ) : (
            <span
              title={[...asns]
                .toSorted((a, b) => a - b)
                .map(formatAsn)
                .join(', ')}
            >
              of {all ? '' : 'at least '}
              {asns.size} ASNs
            </span>
          )
        }
        link={
          <Link className={WHOLE} to="/admin/prefixes/" search={{ status: 'approved' }}>
            Approved prefixes
          </Link>
        }
      />
      <Stat
        value={data.recentUsers.totalCount}
        note="since yesterday"
        link={
          <Link className={WHOLE} to="/admin/users/" search={{ type: 'recent' }}>
            Recent users
          </Link>
        }
      />
      <Stat
        value={data.customers.totalCount}
        note="with a payment method"
        link={
          <Link className={WHOLE} to="/admin/users/" search={{ type: 'paying' }}>
            Paying users
          </Link>
        }
      />
      <Stat
        value={data.users.totalCount}
        note="total"
        link={
          <Link className={WHOLE} to="/admin/users/">
            Users
          </Link>
        }
      />
    </ul>
  )
}

function Stat({ value, note, link }: { value: number; note: ReactNode; link: ReactNode }) {
  return (
    <li className="relative bg-surface px-4 py-3 has-[a:hover]:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent">
      <p className="text-sm font-medium">{link}</p>
      <p className="num mt-0.5 text-2xl font-semibold tracking-[-0.015em]">{grouped(value)}</p>
      <p className="text-xs text-faint">{note}</p>
    </li>
  )
}
