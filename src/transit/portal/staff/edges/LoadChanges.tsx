import { Link } from '@tanstack/react-router'
import { formatAsn } from '../../../../kernel/asn.ts'
import type { EdgeLoad } from '../../../contract.ts'

type Change = EdgeLoad['changes'][number]
type Entry = Change['added'][number]

const KINDS: Readonly<Record<Change['what'], string>> = {
  added: 'added',
  removed: 'removed',
  enabled: 'enabled',
  disabled: 'disabled, with all of its prefixes',
  changed: '',
}

/** The diff of one load, as far as the response includes it. */
export function LoadChanges({ load }: { load: EdgeLoad }) {
  return (
    <div className="mt-2 grid gap-2 text-sm">
      {load.state === 'FAILED' && load.detail && <p className="wrap-anywhere text-bad">{load.detail}</p>}
      {load.confirmed && (
        <p className="text-dim">
          Confirmed by {load.confirmed.by ?? 'a deleted user'}: {load.confirmed.reason}
        </p>
      )}
      <ul className="grid gap-1.5">
        {load.changes.map((change) => (
          <li key={change.customer.connection}>
            <CustomerName customer={change.customer} /> {KINDS[change.what]}
            <ul className="num pl-4">
              {change.removed.map((entry) => (
                <li key={entryText(entry)} className="text-bad">
                  − {entryText(entry)}
                </li>
              ))}
              {change.added.map((entry) => (
                <li key={entryText(entry)} className="text-ok">
                  + {entryText(entry)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {load.leftOff > 0 && <p className="text-dim">{load.leftOff} more lines</p>}
      {load.causes.length > 0 && (
        <p className="text-dim">
          Decisions: {load.causes.map(({ actor, action }) => `${action} (${actor})`).join(', ')}
        </p>
      )}
      <p className="text-xs wrap-anywhere text-dim">
        Configuration <code>{load.generation}</code>
        {load.previousGeneration && (
          <>
            {' '}
            after <code>{load.previousGeneration}</code>
          </>
        )}
      </p>
    </div>
  )
}

function CustomerName({ customer }: { customer: Change['customer'] }) {
  const text = `${customer.name} (${formatAsn(customer.asn)})`
  return customer.user === null ? (
    text
  ) : (
    <Link to="/admin/users/$id" params={{ id: customer.user }} className="link">
      {text}
    </Link>
  )
}

const entryText = ({ prefix, origin }: Entry): string =>
  `${prefix} ${origin === 'static' ? 'originated by us' : formatAsn(origin)}`
