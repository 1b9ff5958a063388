import { useSuspenseQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { notify } from '../../../ui/runtime/notifications.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { SelectField, TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { staff, siteContent } from '../api.ts'
import { rereadStaff } from '../../../ui/staff/use-action.ts'
import type { SiteContent } from '../../site-content/contract.ts'
import { InventoryLayout } from '../../../routers/portal/staff/inventory/InventoryLayout.tsx'
import { fromLocal, toLocal } from '../../../ui/components/local-time.ts'
import { CONTENT_FIELDS, type ContentField } from './content-fields.ts'
import { ContentFieldInput } from './ContentFieldInput.tsx'

/** Returns only what changed in this form, because another member of staff may be editing another text. */
function changesOf(values: FormValues, shown: SiteContent): Partial<SiteContent> {
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

const NAMES = Object.keys(CONTENT_FIELDS) as ContentField[]
const TIMES = ['noticeFrom', 'noticeUntil'] as const

/** Edits the texts that the operator can set, each with the place where it appears. */
export function SiteContentPage() {
  const { data } = useSuspenseQuery(siteContent())
  const blockedReason = useMissingRoleReason('owner')
  // Remounts the fields after saving, so that they show later changes by others.
  const [round, setRound] = useState(0)
  const save = async (values: FormValues, submission: Submission) => {
    await staff.call['PATCH /api/admin/site_content']({ body: changesOf(values, data) }, submission)
    await rereadStaff()
    setRound((before) => before + 1)
    notify({
      type: 'success',
      title: 'Saved',
      body: 'Pages show the change when next opened. The notice appears immediately.',
    })
  }
  return (
    <InventoryLayout title="Site content" summary="Custom texts. Plain text; leave empty for the default.">
      <Form onSubmit={save} explain={explainFailure} className="grid max-w-2xl gap-4">
        {({ busy }) => (
          <>
            <Fragment key={round}>
              <Section title="Notice" summary="Shown above every page to signed-in users.">
                <div className="grid gap-4">
                  <ContentFieldInput name="notice" siteContent={data} />
                  <div className="grid gap-4 lg:grid-cols-[1fr_1.5fr_1.5fr]">
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
                  <ContentFieldInput name="supportEmail" siteContent={data} placeholder={data.defaults.supportEmail} />
                  <ContentFieldInput name="featureUrl" siteContent={data} />
                  <ContentFieldInput name="termsUrl" siteContent={data} />
                </div>
              </Section>
              <Section title="Footers">
                <div className="grid gap-4">
                  <ContentFieldInput name="mailFooter" siteContent={data} />
                  <ContentFieldInput name="invoiceFooter" siteContent={data} />
                </div>
              </Section>
            </Fragment>
            <div>
              <Button type="submit" variant="primary" busy={busy} disabledReason={blockedReason}>
                Save content
              </Button>
            </div>
          </>
        )}
      </Form>
    </InventoryLayout>
  )
}
