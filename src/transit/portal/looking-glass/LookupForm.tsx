import type { ReactNode } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'

/** One field that queries the edge. A query changes nothing, so staff may use it in a read-only customer view. */
export function LookupForm({
  label,
  name,
  placeholder,
  submit,
  onSubmit,
  children,
}: {
  label: string
  name: string
  placeholder: string
  submit: string
  onSubmit: (values: FormValues, submission: Submission) => Promise<void>
  children?: ReactNode
}) {
  return (
    <Form onSubmit={onSubmit} explain={explainFailure} label={submit} className="grid gap-3 sm:max-w-[34rem]">
      {({ busy }) => (
        <>
          {children}
          <TextField
            label={label}
            name={name}
            mono
            required
            maxLength={50}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
          />
          <div>
            <Button type="submit" busy={busy} changes={false}>
              {submit}
            </Button>
          </div>
        </>
      )}
    </Form>
  )
}
