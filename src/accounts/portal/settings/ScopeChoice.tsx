import type { Area } from '../../../kernel/scope.ts'
import { AREA_LABELS } from './scope-labels.ts'

const VERBS = [
  { value: 'none', label: 'None' },
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Change' },
]

/** For each area of the API: none, read, or write, which includes read. */
export function ScopeChoice({ areas }: { areas: readonly Area[] }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">Permissions</legend>
      <div className="divide-y divide-line rounded-md border border-line">
        {areas.map((area) => (
          <fieldset key={area} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-1.5">
            <legend className="sr-only">{AREA_LABELS[area].label}</legend>
            <span className="min-w-0 text-sm">
              <span className="font-medium">{AREA_LABELS[area].label}</span>
              <span className="block text-xs text-faint">{AREA_LABELS[area].detail}</span>
            </span>
            <span className="flex rounded-md bg-sunken p-0.5">
              {VERBS.map(({ value, label }) => (
                <label
                  key={value}
                  className="flex h-7 min-w-14 items-center justify-center rounded-sm px-2 text-xs font-medium text-dim hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:ring-1 has-checked:ring-line-strong has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-10"
                >
                  <input
                    type="radio"
                    name={`scope-${area}`}
                    value={value}
                    defaultChecked={value === 'none'}
                    className="sr-only"
                  />
                  {label}
                </label>
              ))}
            </span>
          </fieldset>
        ))}
      </div>
    </fieldset>
  )
}
