import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import { Checkbox } from '../../../ui/components/choices.tsx'
import { CountryField } from '../../../ui/components/CountryField.tsx'
import { TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues } from '../../../ui/components/Form.tsx'
import { PageHeader, Section } from '../../../ui/components/PageHeader.tsx'
import { money, terms } from './api.ts'
import { BillingTabs } from './BillingTabs.tsx'
import { MoneyField } from './MoneyField.tsx'
import { parseMoney, plainMoney } from './money-labels.ts'
import { DAYS, LIMITS, SELLER, type DayField } from './terms-fields.ts'

/** Edits the operator's terms. The form is remounted after saving, so that it never shows a stale value. */
export function TermsPage() {
  const own = useSuspenseQuery(terms()).data
  const queries = useQueryClient()
  const [saved, setSaved] = useState(0)
  const missingRole = useMissingRoleReason('owner')
  const save = async (values: FormValues) => {
    const text = (name: string) => values.text(name) || null
    const body = {
      ...Object.fromEntries(SELLER.map(({ name }) => [name, text(name)])),
      ...Object.fromEntries([...DAYS, ...LIMITS].map(({ name }) => [name, Number(values.text(name))])),
      seriesPrefix: values.text('seriesPrefix'),
      chargesTax: values.on('chargesTax'),
      oneStopShop: values.on('oneStopShop'),
      newAccountOwed: parseMoney(values.text('newAccountOwed'), own.currency) ?? 0,
    }
    await money.call['PATCH /api/admin/billing/settings']({ body }, { notify: false })
    await queries.invalidateQueries({ queryKey: terms().queryKey })
    setSaved((count) => count + 1)
  }
  return (
    <>
      <PageHeader title="Billing settings" summary="Seller, payment terms and limits. Issued invoices do not change." />
      <BillingTabs />
      {saved > 0 && (
        <div className="mb-4">
          <Callout tone="ok" title="Saved" alert key={saved} />
        </div>
      )}
      <Form onSubmit={save} explain={explainFailure} className="grid max-w-3xl gap-2" key={saved}>
        {({ busy }) => (
          <>
            <Section title="Seller details on invoices">
              <div className="grid gap-4 sm:grid-cols-2">
                {SELLER.map(({ name, label, hint }) =>
                  name === 'country' ? (
                    <CountryField key={name} label={label} name={name} optional kept={own.country} />
                  ) : (
                    <TextField
                      key={name}
                      label={label}
                      name={name}
                      optional
                      hint={hint}
                      defaultValue={own[name] ?? ''}
                    />
                  ),
                )}
                <TextField
                  label="Invoice prefix"
                  name="seriesPrefix"
                  required
                  mono
                  pattern={{ source: '[A-Z0-9]{1,8}', takes: 'Must be 1 to 8 capital letters or digits.' }}
                  hint="Followed by the year and a serial number. Changing it starts a new series."
                  defaultValue={own.seriesPrefix}
                />
                <TextField
                  label="Currency"
                  name="currency"
                  readOnly
                  hint="Set by CURRENCY; fixed once a price exists"
                  value={own.currency}
                />
              </div>
              <div className="mt-4 grid gap-3">
                <Checkbox
                  name="chargesTax"
                  label="Charge value added tax"
                  hint="Requires the country where you are established"
                  defaultChecked={own.chargesTax}
                />
                <Checkbox
                  name="oneStopShop"
                  label="Use the one-stop shop"
                  hint="EU consumers abroad are charged their own country’s rate"
                  defaultChecked={own.oneStopShop}
                />
              </div>
            </Section>
            <Section title="Payment terms" summary="Days after the due date. Each must be later than the one before.">
              <Days fields={DAYS} own={own} />
            </Section>
            <Section title="Limits" summary="An account is new until its first invoice is paid.">
              <div className="grid gap-4 sm:grid-cols-3">
                <DayFields fields={LIMITS} own={own} />
                <MoneyField
                  label="Credit limit for new accounts"
                  name="newAccountOwed"
                  required
                  currency={own.currency}
                  hint="Open invoices plus charges accrued since. Orders above it are declined."
                  defaultValue={plainMoney(own.newAccountOwed, own.currency)}
                />
              </div>
            </Section>
            <div className="mt-6">
              <Button type="submit" variant="primary" busy={busy} disabledReason={missingRole}>
                Save settings
              </Button>
            </div>
          </>
        )}
      </Form>
    </>
  )
}

type Own = Record<DayField, number>

const Days = ({ fields, own }: { fields: typeof DAYS; own: Own }) => (
  <div className="grid gap-4 sm:grid-cols-3">
    <DayFields fields={fields} own={own} />
  </div>
)

const DayFields = ({ fields, own }: { fields: readonly (typeof DAYS)[number][]; own: Own }) =>
  fields.map(({ name, label, hint, most }) => (
    <TextField
      key={name}
      label={label}
      name={name}
      type="number"
      required
      min={0}
      max={most}
      hint={hint}
      defaultValue={own[name]}
    />
  ))
