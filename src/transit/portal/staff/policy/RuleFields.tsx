import { Button } from '../../../../ui/components/Button.tsx'
import { Checkbox } from '../../../../ui/components/choices.tsx'
import { SelectField, TextField } from '../../../../ui/components/Field.tsx'
import { Panel } from '../../../../ui/components/PageHeader.tsx'
import { EVIDENCE_CHOICES, FAMILY_CHOICES, keyed, NEW_RULE, PEOPLE_CHOICES, type KeyedRule } from './policy-fields.ts'

/** The rules in order, each with its conditions and requirements. */
export function RuleFields({
  rules,
  onChange,
}: {
  rules: readonly KeyedRule[]
  onChange: (rules: KeyedRule[]) => void
}) {
  const remove = (key: number) => onChange(rules.filter((one) => one.key !== key))
  const moveUp = (index: number) => {
    const moved = rules[index]
    if (!moved || index === 0) return
    onChange(rules.with(index, rules[index - 1]!).with(index - 1, moved))
  }
  return (
    <div className="grid gap-3">
      <ol className="grid gap-3">
        {rules.map((one, index) => (
          <li key={one.key}>
            <Panel>
              <Rule
                id={one.key}
                rule={one.rule}
                number={index + 1}
                onMoveUp={index === 0 ? undefined : () => moveUp(index)}
                onRemove={rules.length === 1 ? undefined : () => remove(one.key)}
              />
            </Panel>
          </li>
        ))}
      </ol>
      <div>
        <Button icon="plus" onClick={() => onChange([...rules, ...keyed([NEW_RULE])])}>
          Add rule
        </Button>
      </div>
    </div>
  )
}

function Rule({
  id,
  rule,
  number,
  onMoveUp,
  onRemove,
}: Pick<KeyedRule, 'rule'> & {
  id: number
  number: number
  onMoveUp: (() => void) | undefined
  onRemove: (() => void) | undefined
}) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">Rule {number}</legend>
      <div className="grid gap-3 sm:grid-cols-3">
        <TextField label="Name" name={`name-${id}`} required maxLength={80} defaultValue={rule.name} />
        <SelectField
          label="Address family"
          name={`family-${id}`}
          choices={FAMILY_CHOICES}
          defaultValue={String(rule.family ?? '')}
        />
        <TextField
          label="Shorter than"
          name={`shorterThan-${id}`}
          type="number"
          min={1}
          max={128}
          optional
          hint="A prefix length. Empty: any."
          defaultValue={rule.shorterThan ?? ''}
        />
        <SelectField label="Evidence" name={`evidence-${id}`} choices={EVIDENCE_CHOICES} defaultValue={rule.evidence} />
        <SelectField
          label="Approved by"
          name={`people-${id}`}
          choices={PEOPLE_CHOICES}
          defaultValue={String(rule.people)}
        />
        <div className="self-center">
          <Checkbox name={`reason-${id}`} label="Written reason" defaultChecked={rule.reason} />
        </div>
      </div>
      <div className="flex gap-2">
        {onMoveUp && <Button onClick={onMoveUp}>Move up</Button>}
        {onRemove && <Button onClick={onRemove}>Remove rule</Button>}
      </div>
    </fieldset>
  )
}
