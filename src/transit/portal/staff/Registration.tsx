import { Callout } from '../../../ui/components/Callout.tsx'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { AdminTransitPrefix } from '../../contract.ts'

/** The holder of the addresses, beside the decision about them. */
export function Registration({ prefix: { registration } }: { prefix: AdminTransitPrefix }) {
  if (!registration) return <p className="text-sm text-dim">The registry has not been asked yet.</p>
  const { error, answeredAt, handle, registry, placeholder } = registration
  return (
    <div className="grid gap-3">
      {error !== null && (
        <Callout tone="warn" title="The registry does not answer">
          {error} {answeredAt === null ? 'It has never answered about these addresses.' : 'Its last answer is below.'}
        </Callout>
      )}
      {answeredAt !== null && handle === null && (
        <p className="text-sm">The registry has no registration of these addresses.</p>
      )}
      {placeholder && (
        <p className="text-sm">{handle} is a block of the registry itself, so it names no holder of these addresses.</p>
      )}
      {handle !== null && !placeholder && (
        <PropertyTable
          items={[
            { label: 'Holder', value: registration.holder ?? none },
            { label: 'Registry', value: registry ?? none },
            { label: 'Block', value: <Copyable value={handle} /> },
            { label: 'Name', value: registration.name ?? none },
            { label: 'Type', value: registration.type ?? none },
            { label: 'Status', value: registration.status.join(', ') || none },
            { label: 'Registered', value: <Time at={registration.registeredAt} none="not stated" /> },
            { label: 'Last change', value: <Time at={registration.changedAt} none="not stated" /> },
            { label: 'Checked', value: <Time at={registration.answeredAt} />, wide: true },
            { label: 'Contacts', value: <Contacts contacts={registration.contacts} />, wide: true },
          ]}
        />
      )}
    </div>
  )
}

const none = <EmptyValue />

function Contacts({ contacts }: { contacts: NonNullable<AdminTransitPrefix['registration']>['contacts'] }) {
  if (contacts.length === 0) return none
  return (
    <ul className="grid gap-1">
      {contacts.map(({ email, roles, domainRegisteredAt }) => (
        <li key={email} className="text-sm">
          {email}
          {roles.length > 0 && <span className="text-faint"> ({roles.join(', ')})</span>}, domain registered{' '}
          <Time at={domainRegisteredAt} none="at an unknown date" />
        </li>
      ))}
    </ul>
  )
}
