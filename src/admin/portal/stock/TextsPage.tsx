import { useSuspenseQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { explainFailure } from '../../../portal/explain-failure.ts'
import { notify } from '../../../portal/notifications.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { SelectField, TextField } from '../../../portal/ui/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../portal/ui/Form.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import { staff, texts } from '../api.ts'
import { rereadStaff } from '../use-deed.ts'
import type { Texts } from '../../texts/contract.ts'
import { StockFrame } from './StockFrame.tsx'
import { fromLocal, toLocal } from './local-time.ts'
import { WORDS, type Word } from './text-fields.ts'
import { WordField } from './WordField.tsx'

/** What was changed here alone: somebody else may be wording another of them. */
function changesOf(values: FormValues, shown: Texts): Partial<Texts> {
  const times = { noticeFrom: toLocal(shown.noticeFrom), noticeUntil: toLocal(shown.noticeUntil) }
  const isChanged = (name: string, now: string) => values.text(name) !== now
  const words = NAMES.filter((name) => isChanged(name, shown[name] ?? ''))
  const moved = TIMES.filter((name) => isChanged(name, times[name]))
  return {
    ...Object.fromEntries(words.map((name) => [name, values.text(name) || null])),
    ...Object.fromEntries(moved.map((name) => [name, fromLocal(values.text(name))])),
    ...(isChanged('noticeTone', shown.noticeTone) && {
      noticeTone: values.text('noticeTone') === 'warn' ? 'warn' : 'info',
    }),
  }
}

const NAMES = Object.keys(WORDS) as Word[]
const TIMES = ['noticeFrom', 'noticeUntil'] as const

/** What the operator words itself, each where it says. */
export function TextsPage() {
  const { data } = useSuspenseQuery(texts())
  const refusal = useDutyRefusal('owner')
  // Once they are saved the fields begin anew: what somebody else changes then shows in them.
  const [round, setRound] = useState(0)
  const save = async (values: FormValues, submission: Submission) => {
    await staff.call['PATCH /api/admin/texts']({ body: changesOf(values, data) }, submission)
    await rereadStaff()
    setRound((before) => before + 1)
    notify({
      type: 'success',
      title: 'Saved',
      body: 'Pages show the change when next opened. The notice appears at once.',
    })
  }
  return (
    <StockFrame title="Site content" summary="Custom texts. Plain text; leave empty for the default.">
      <Form onSubmit={save} explain={explainFailure} className="grid max-w-2xl gap-4">
        {({ busy }) => (
          <>
            <Fragment key={round}>
              <Section title="Notice" summary="Shown above every page to signed-in users.">
                <div className="grid gap-4">
                  <WordField name="notice" texts={data} />
                  <div className="grid gap-4 sm:grid-cols-[1fr_1.5fr_1.5fr]">
                    <SelectField
                      label="Tone"
                      key={data.noticeTone}
                      name="noticeTone"
                      defaultValue={data.noticeTone}
                      choices={[
                        { value: 'info', label: 'Information' },
                        { value: 'warn', label: 'Warning' },
                      ]}
                    />
                    <TextField
                      label="From"
                      name="noticeFrom"
                      type="datetime-local"
                      optional
                      defaultValue={toLocal(data.noticeFrom)}
                      hint="Your local time. Leave empty to start now."
                    />
                    <TextField
                      label="Until"
                      name="noticeUntil"
                      type="datetime-local"
                      optional
                      defaultValue={toLocal(data.noticeUntil)}
                      hint="Leave empty for no end date."
                    />
                  </div>
                </div>
              </Section>
              <Section title="Support and terms">
                <div className="grid gap-4">
                  <WordField name="supportEmail" texts={data} placeholder={data.defaults.supportEmail} />
                  <WordField name="featureUrl" texts={data} />
                  <WordField name="termsUrl" texts={data} />
                </div>
              </Section>
              <Section title="Footers">
                <div className="grid gap-4">
                  <WordField name="mailFooter" texts={data} />
                  <WordField name="invoiceFooter" texts={data} />
                </div>
              </Section>
            </Fragment>
            <div>
              <Button type="submit" look="primary" busy={busy} disabledReason={refusal}>
                Save texts
              </Button>
            </div>
          </>
        )}
      </Form>
    </StockFrame>
  )
}
