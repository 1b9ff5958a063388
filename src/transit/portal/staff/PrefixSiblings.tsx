import { Link } from '@tanstack/react-router'
import type { DetailedPrefix } from './prefix-documents.ts'
import { ToneBadge } from '../../../ui/staff/ToneBadge.tsx'
import { STATUS_BADGE } from '../prefix-labels.ts'

/** The user's other prefixes and requests, as context for a decision. */
export const PrefixSiblings = ({ prefixes }: { prefixes: DetailedPrefix['ipTransit']['prefixes'] }) => (
  <ul className="flex flex-wrap gap-x-5 gap-y-2">
    {prefixes.map((prefix) => (
      <li key={prefix.id} className="inline-flex items-center gap-2">
        <Link to="/admin/prefixes/$id" params={{ id: prefix.databaseId }} className="link num font-mono text-sm">
          {prefix.value}
        </Link>
        <ToneBadge badge={STATUS_BADGE[prefix.status]} />
      </li>
    ))}
  </ul>
)
