import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMissingRoleReason } from '../../../../ui/runtime/required-role.ts'
import { explainFailure } from '../../../../ui/runtime/explain-failure.ts'
import { Button } from '../../../../ui/components/Button.tsx'
import { Callout } from '../../../../ui/components/Callout.tsx'
import { Checkbox } from '../../../../ui/components/choices.tsx'
import { TextField } from '../../../../ui/components/Field.tsx'
import { Form, type FormValues } from '../../../../ui/components/Form.tsx'
import { Section } from '../../../../ui/components/PageHeader.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import { InventoryLayout } from '../../../../routers/portal/staff/inventory/InventoryLayout.tsx'
import { prefixPolicy, staffTransit } from '../api.ts'
import { RuleFields } from './RuleFields.tsx'
import { FIGURES, keyed, readRules } from './policy-fields.ts'

/** Which evidence an approval needs, and from how many people. Remounts with what was saved, so that no field is stale. */
export function PolicyPage() {
  const { data: policy } = useSuspenseQuery(prefixPolicy())
  const queries = useQueryClient()
  const [saved, setSaved] = useState(0)
  const [rules, setRules] = useState(() => keyed(policy.rules))
  const missingRole = useMissingRoleReason('owner')
  const save = async (values: FormValues) => {
    const body = {
      version: policy.version,
      automatic: values.on('automatic'),
      twoPerson: values.on('twoPerson'),
      ...FIGURES.read(values),
      rules: readRules(values, rules),
    }
    const after = await staffTransit.call['PUT /api/admin/prefix_policy']({ body }, { notify: false })
    queries.setQueryData(prefixPolicy().queryKey, after)
    setRules(keyed(after.rules))
    setSaved((count) => count + 1)
  }
  return (
    <InventoryLayout
      title="Approval policy"
      summary="How prefixes are approved: the evidence, the people, and the limits on requests. It applies to new decisions only."
    >
      {saved > 0 && (
        <div className="mb-4">
          <Callout tone="ok" title="Saved" alert key={saved} />
        </div>
      )}
      <Form onSubmit={save} explain={explainFailure} className="grid max-w-4xl gap-2" key={policy.version}>
        {({ busy }) => (
          <>
            <Section title="Switches">
              <div className="grid gap-3">
                <Checkbox
                  name="automatic"
                  label="Approve automatically"
                  hint="Let rules with automatic approval approve prefixes of established accounts without staff. When off, one person approves."
                  defaultChecked={policy.automatic}
                />
                <Checkbox
                  name="twoPerson"
                  label="Require two people"
                  hint="Rules that need two people need two different members of staff. Off: they need one."
                  defaultChecked={policy.twoPerson}
                />
              </div>
            </Section>
            <Section
              title="Rules"
              summary="The first rule that fits applies. A request that no rule fits needs two people."
            >
              <RuleFields rules={rules} onChange={setRules} />
            </Section>
            <Section title="Limits">
              <div className="grid gap-4 sm:grid-cols-2">
                {FIGURES.fields.map(({ name, label, hint, min, max }) => (
                  <TextField
                    key={name}
                    label={label}
                    name={name}
                    type="number"
                    required
                    min={min}
                    max={max}
                    hint={hint}
                    defaultValue={policy[name]}
                  />
                ))}
              </div>
            </Section>
            <div className="mt-6 flex flex-wrap items-center gap-3">
              <Button type="submit" variant="primary" busy={busy} disabledReason={missingRole}>
                Save policy
              </Button>
              <p className="text-sm text-faint">
                Version {policy.version}
                {policy.changedAt && (
                  <>
                    , changed <Time at={policy.changedAt} />
                    {policy.changedBy && ` by ${policy.changedBy}`}
                  </>
                )}
              </p>
            </div>
          </>
        )}
      </Form>
    </InventoryLayout>
  )
}
