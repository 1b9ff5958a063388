import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { SelectField, TextField } from '../../../ui/components/Field.tsx'
import { Icon } from '../../../ui/components/Icon.tsx'
import { actions } from './api.ts'
import type { AuditSearch } from '../../../ui/staff/audit-search.ts'

/** Action and dates are fields. A user or an object, which comes from a link, is a filter that can be removed. */
export function AuditFilters({ narrowed }: { narrowed: AuditSearch }) {
  const navigate = useNavigate()
  const { data: kinds = [] } = useQuery(actions())
  const narrow = (change: { [K in keyof AuditSearch]?: AuditSearch[K] | undefined }) => {
    const search = Object.fromEntries(
      Object.entries({ ...narrowed, ...change }).filter(([, value]) => value !== undefined && value !== ''),
    )
    void navigate({
      to: '/admin/audit',
      search: ({ search: words }) => ({ ...search, ...(words && { search: words }) }),
      replace: true,
    })
  }
  const { actor, user, subjectType, subjectId, action, from, to } = narrowed
  const known = action === undefined || kinds.includes(action) ? kinds : [action, ...kinds]
  return (
    <div className="mb-4 grid gap-3">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-[minmax(0,16rem)_minmax(0,12rem)_minmax(0,10rem)_minmax(0,10rem)]">
        <SelectField
          label="Event type"
          name="action"
          value={action ?? ''}
          onChange={(event) => narrow({ action: event.target.value })}
          choices={[{ value: '', label: 'All types' }, ...known.map((kind) => ({ value: kind, label: labelOf(kind) }))]}
        />
        <SelectField
          label="Object"
          name="subjectType"
          value={subjectType ?? ''}
          onChange={(event) => narrow({ subjectType: event.target.value, subjectId: undefined })}
          choices={[
            { value: '', label: 'All objects' },
            ...(subjectType === undefined || OBJECTS.includes(subjectType) ? OBJECTS : [subjectType, ...OBJECTS]).map(
              (value) => ({ value, label: labelOf(value) }),
            ),
          ]}
        />
        <TextField
          label="From"
          name="from"
          type="date"
          value={from ?? ''}
          max={to}
          onChange={(event) => narrow({ from: event.target.value })}
        />
        <TextField
          label="To"
          name="to"
          type="date"
          value={to ?? ''}
          min={from}
          onChange={(event) => narrow({ to: event.target.value })}
        />
      </div>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {actor !== undefined && <Narrowing label={`By user ${actor}`} onRemove={() => narrow({ actor: undefined })} />}
        {user !== undefined && <Narrowing label={`About user ${user}`} onRemove={() => narrow({ user: undefined })} />}
        {subjectId !== undefined && (
          <Narrowing
            label={`On ${subjectType ?? 'any object'} ${subjectId ?? ''}`.trim()}
            onRemove={() => narrow({ subjectType: undefined, subjectId: undefined })}
          />
        )}
      </div>
    </div>
  )
}

const OBJECTS: readonly string[] = [
  'user',
  'router',
  'prefix',
  'connection',
  'invoice',
  'payment',
  'hypervisor',
  'edge',
  'site',
  'pool',
  'image',
  'plan',
  'price',
  'webhook',
]

/** `prefix.needs_action` is “Prefix needs action”. */
const labelOf = (code: string): string => {
  const words = code.replaceAll(/[._]/g, ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

const Narrowing = ({ label, onRemove }: { label: string; onRemove: () => void }) => (
  <button
    type="button"
    onClick={onRemove}
    className="inline-flex h-7 items-center gap-1.5 rounded-full border border-line-strong bg-surface px-2.5 text-sm hover:border-edge pointer-coarse:h-10"
  >
    {label}
    <Icon name="cross" size={12} className="text-dim" />
    <span className="sr-only">, remove</span>
  </button>
)
