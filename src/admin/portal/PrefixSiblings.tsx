import { Link } from '@tanstack/react-router'
import type { DetailedPrefix } from './documents/prefixes.ts'
import { LookBadge } from './LookBadge.tsx'
import { STATUS_LOOK } from '../../transit/portal/prefix-words.ts'

/** What else the same user announces or wants to: context for a decision, at a glance. */
export const PrefixSiblings = ({ prefixes }: { prefixes: DetailedPrefix['ipTransit']['prefixes'] }) => (
  <ul className="flex flex-wrap gap-x-5 gap-y-2">
    {prefixes.map((prefix) => (
      <li key={prefix.id} className="inline-flex items-center gap-2">
        <Link to="/admin/prefixes/$id" params={{ id: prefix.databaseId }} className="link num font-mono text-sm">
          {prefix.value}
        </Link>
        <LookBadge look={STATUS_LOOK[prefix.status]} />
      </li>
    ))}
  </ul>
)
