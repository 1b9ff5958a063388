import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hypervisors, sites } from '../../../../routers/portal/staff/api.ts'
import { Checkbox } from '../../../../ui/components/choices.tsx'
import type { FormValues, Submission } from '../../../../ui/components/Form.tsx'
import { useFormState } from '../../../../ui/components/form-state.ts'
import { FormDialog } from '../../../../ui/staff/FormDialog.tsx'
import { rereadStaff } from '../../../../ui/staff/use-action.ts'
import { edges, staffTransit } from '../api.ts'
import { ScopePreview, type ChosenScope } from './ScopePreview.tsx'
import { readWindow, WindowFields } from './WindowFields.tsx'

const NONE: ChosenScope = { everywhere: false, sites: [], hypervisors: [], edges: [] }

export function AnnounceDialog({ onClose }: { onClose: () => void }) {
  const [scope, setScope] = useState(NONE)
  const submit = async (values: FormValues, submission: Submission) => {
    const body = { ...readWindow(values), ...scope }
    await staffTransit.call['POST /api/admin/maintenance_windows']({ body }, submission)
    await rereadStaff()
  }
  return (
    <FormDialog title="Announce maintenance" action="Announce maintenance" onClose={onClose} onSubmit={submit}>
      <WindowFields planned={null} />
      <ScopeChoices scope={scope} onChange={setScope} />
      <ScopePreview scope={scope} />
    </FormDialog>
  )
}

type Group = 'sites' | 'hypervisors' | 'edges'

function ScopeChoices({ scope, onChange }: { scope: ChosenScope; onChange: (scope: ChosenScope) => void }) {
  const { data: allSites } = useSuspenseQuery(sites())
  const { data: hosts } = useSuspenseQuery(hypervisors())
  const { data: allEdges } = useSuspenseQuery(edges())
  const { errors, clear } = useFormState()
  const choose = (next: ChosenScope) => {
    clear('everywhere')
    onChange(next)
  }
  const toggle = (group: Group, id: number, on: boolean) =>
    choose({ ...scope, [group]: on ? [...scope[group], id] : scope[group].filter((one) => one !== id) })
  const groups: readonly { group: Group; label: string; choices: readonly { id: number; name: string }[] }[] = [
    { group: 'sites', label: 'Sites', choices: allSites },
    { group: 'hypervisors', label: 'Hypervisors', choices: hosts.hypervisors },
    { group: 'edges', label: 'Edges', choices: allEdges.edges },
  ]
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">Scope</legend>
      <Checkbox
        name="everywhere"
        label="Everything"
        checked={scope.everywhere}
        onChange={({ target }) => choose({ ...NONE, everywhere: target.checked })}
      />
      {!scope.everywhere &&
        groups.map(({ group, label, choices }) => (
          <fieldset key={group} className="grid gap-2">
            <legend className="mb-1 text-xs text-dim">{label}</legend>
            {choices.map(({ id, name }) => (
              <Checkbox
                key={id}
                name={group}
                value={id}
                label={name}
                checked={scope[group].includes(id)}
                onChange={({ target }) => toggle(group, id, target.checked)}
              />
            ))}
          </fieldset>
        ))}
      {errors['everywhere'] && (
        <p role="alert" className="text-sm text-bad">
          Select at least one site, hypervisor or edge.
        </p>
      )}
    </fieldset>
  )
}
