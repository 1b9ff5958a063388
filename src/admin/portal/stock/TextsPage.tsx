import { useSuspenseQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { explainFailure } from '../../../portal/explain-failure.ts'
import { notify } from '../../../portal/notifications.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { SelectField, TextAreaField, TextField } from '../../../portal/ui/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../portal/ui/Form.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import { staff, texts } from '../api.ts'
import { rereadStaff } from '../use-deed.ts'
import type { Texts } from '../../texts/contract.ts'
import { StockFrame } from './StockFrame.tsx'
import { fromLocal, toLocal } from './local-time.ts'

/** What was changed here alone: somebody else may be wording another of them. */
function changesOf(values: FormValues, shown: Texts): Partial<Texts> {
  const times = { noticeFrom: toLocal(shown.noticeFrom), noticeUntil: toLocal(shown.noticeUntil) }
  const isChanged = (name: string, now: string) => values.text(name) !== now
  const words = WORDS.filter((name) => isChanged(name, shown[name] ?? ''))
  const moved = TIMES.filter((name) => isChanged(name, times[name]))
  return {
    ...Object.fromEntries(words.map((name) => [name, values.text(name) || null])),
    ...Object.fromEntries(moved.map((name) => [name, fromLocal(values.text(name))])),
    ...(isChanged('noticeTone', shown.noticeTone) && {
      noticeTone: values.text('noticeTone') === 'warn' ? 'warn' : 'info',
    }),
  }
}

const WORDS = ['notice', 'supportEmail', 'featureUrl', 'termsUrl', 'mailFooter', 'invoiceFooter'] as const
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
      title: 'The words are changed',
      body: 'Pages show them when they are opened the next time; the notice at once.',
    })
  }
  return (
    <StockFrame
      title="Texts"
      summary="What you word yourself. Plain text; what is left empty says what the product says."
    >
      <Form onSubmit={save} explain={explainFailure} className="grid max-w-2xl gap-4">
        {({ busy }) => (
          <>
            <Fragment key={round}>
              <Section title="Notice" summary="Above every screen of whoever is signed in.">
                <div className="grid gap-4">
                  <TextAreaField
                    label="Notice"
                    name="notice"
                    rows={2}
                    maxLength={500}
                    optional
                    defaultValue={data.notice ?? ''}
                  />
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
                      hint="Your time. Empty: now."
                    />
                    <TextField
                      label="Until"
                      name="noticeUntil"
                      type="datetime-local"
                      optional
                      defaultValue={toLocal(data.noticeUntil)}
                      hint="Empty: until it is taken back."
                    />
                  </div>
                </div>
              </Section>
              <Section title="Support and terms">
                <div className="grid gap-4">
                  <TextField
                    label="Support address"
                    name="supportEmail"
                    type="email"
                    maxLength={254}
                    optional
                    defaultValue={data.supportEmail ?? ''}
                    placeholder={data.defaults.supportEmail}
                    hint="In the support dialog, on error pages and in letters."
                  />
                  <TextField
                    label="Link for feature requests"
                    name="featureUrl"
                    type="url"
                    maxLength={500}
                    optional
                    defaultValue={data.featureUrl ?? ''}
                    placeholder="https://…"
                    hint="In the support dialog. Empty: a letter to the support address."
                  />
                  <TextField
                    label="Link to the terms"
                    name="termsUrl"
                    type="url"
                    maxLength={500}
                    optional
                    defaultValue={data.termsUrl ?? ''}
                    placeholder="https://…"
                    hint="Shown where people sign up."
                  />
                </div>
              </Section>
              <Section title="Footers">
                <div className="grid gap-4">
                  <TextAreaField
                    label="Below every letter"
                    name="mailFooter"
                    rows={2}
                    maxLength={500}
                    optional
                    defaultValue={data.mailFooter ?? ''}
                  />
                  <TextAreaField
                    label="On every invoice"
                    name="invoiceFooter"
                    rows={2}
                    maxLength={300}
                    optional
                    defaultValue={data.invoiceFooter ?? ''}
                    hint="From the next one on: an invoice that is issued stays as it is."
                  />
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
