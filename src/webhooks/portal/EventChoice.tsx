import { useState } from 'react'
import { PUBLIC_EVENT_TYPES, PUBLIC_EVENTS, type PublicEventType } from '../../kernel/public-events.ts'
import type { Area } from '../../kernel/scope.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Icon } from '../../ui/components/Icon.tsx'
import { Checkbox } from '../../ui/components/choices.tsx'
import { useFormState } from '../../ui/components/form-state.ts'
import { AREA_TITLES } from './webhook-labels.ts'

const GROUPS = Object.entries(Object.groupBy(PUBLIC_EVENT_TYPES, (type) => PUBLIC_EVENTS[type].area)) as [
  Area,
  PublicEventType[],
][]

/** The events of an endpoint, by area; the form field `events`. */
export function EventChoice({ chosen }: { chosen: readonly PublicEventType[] }) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set(chosen))
  const { errors, clear } = useFormState()
  const error = errors['events']
  const set = (types: readonly string[], on: boolean) => {
    clear('events')
    setPicked((before) => new Set(on ? [...before, ...types] : [...before].filter((type) => !types.includes(type))))
  }
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">Events</legend>
      <div className="grid gap-4 rounded-md border border-line p-3 sm:grid-cols-2">
        {GROUPS.map(([area, types]) => {
          const all = types.every((type) => picked.has(type))
          const title = AREA_TITLES[area] ?? area
          return (
            <fieldset key={area} aria-label={title} className="min-w-0">
              <div className="mb-1 flex items-center justify-between gap-2">
                <span className="text-sm font-semibold">{title}</span>
                <Button size="sm" variant="quiet" onClick={() => set(types, !all)}>
                  {all ? 'None' : 'All'}
                  <span className="sr-only"> of {title}</span>
                </Button>
              </div>
              <div className="grid gap-1.5">
                {types.map((type) => (
                  <Checkbox
                    key={type}
                    name="events"
                    value={type}
                    checked={picked.has(type)}
                    onChange={(event) => set([type], event.target.checked)}
                    label={<code className="font-mono text-sm">{type}</code>}
                    hint={PUBLIC_EVENTS[type].when}
                  />
                ))}
              </div>
            </fieldset>
          )
        })}
      </div>
      {/* A group of checkboxes cannot be invalid, so its error message takes the focus. */}
      {error && (
        <p role="alert" tabIndex={-1} className="mt-1.5 flex items-start gap-1.5 text-sm text-bad">
          <Icon name="warning" size={14} className="mt-[3px]" />
          {error}
        </p>
      )}
    </fieldset>
  )
}
