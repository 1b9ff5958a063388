import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countryName } from '../../kernel/country.ts'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { EmptyValue } from '../../ui/components/EmptyValue.tsx'
import { Button } from '../../ui/components/Button.tsx'
import { EmptyState } from '../../ui/components/EmptyState.tsx'
import { CountryField } from '../../ui/components/CountryField.tsx'
import { Dialog } from '../../ui/components/Dialog.tsx'
import { TextField } from '../../ui/components/Field.tsx'
import { Form, type FormValues } from '../../ui/components/Form.tsx'
import { FormFooter } from '../../ui/components/FormFooter.tsx'
import { Section } from '../../ui/components/PageHeader.tsx'
import { PropertyTable } from '../../ui/components/PropertyTable.tsx'
import { StatusBadge, type Tone } from '../../ui/components/StatusBadge.tsx'
import type { BillingOverview } from '../contract.ts'
import { billing, overview } from './api.ts'

type Address = BillingOverview['address']

const VAT: Readonly<Record<Address['vatStatus'], { tone: Tone; label: string } | null>> = {
  NONE: null,
  PENDING: { tone: 'busy', label: 'Checking' },
  VALID: { tone: 'ok', label: 'Valid' },
  INVALID: { tone: 'bad', label: 'Not valid in VIES' },
}

/** Edits the name and address on invoices. */
export function BillingAddress() {
  const { address } = useSuspenseQuery(overview()).data
  const [edits, setEdits] = useState(false)
  const vat = VAT[address.vatStatus]
  const { company, street, postalCode, city, country, vatId } = address
  const stated = [company, street, postalCode, city, country, vatId].some(Boolean)
  return (
    <Section
      title="Billing address"
      summary="Used from your next invoice."
      actions={
        <Button changes onClick={() => setEdits(true)}>
          Edit address
        </Button>
      }
    >
      {!stated && <EmptyState title="No billing address">Invoices show only your name.</EmptyState>}
      {stated && (
        <PropertyTable
          items={[
            { label: 'Company', value: company ?? <EmptyValue /> },
            { label: 'Street', value: street ?? <EmptyValue /> },
            { label: 'City', value: [postalCode, city].filter(Boolean).join(' ') || <EmptyValue /> },
            { label: 'Country', value: country ? countryName(country) : <EmptyValue /> },
            {
              label: 'VAT ID',
              wide: true,
              value: vatId ? (
                <span className="inline-flex items-center gap-2.5">
                  <span className="font-mono">{vatId}</span>
                  {vat && <StatusBadge tone={vat.tone}>{vat.label}</StatusBadge>}
                </span>
              ) : (
                <EmptyValue />
              ),
            },
          ]}
        />
      )}
      {edits && <EditAddress address={address} onClose={() => setEdits(false)} />}
    </Section>
  )
}

function EditAddress({ address, onClose }: { address: Address; onClose: () => void }) {
  const queries = useQueryClient()
  const save = async (values: FormValues) => {
    const value = (name: string) => values.text(name) || null
    await billing.call['PUT /api/billing/address'](
      {
        body: {
          company: value('company'),
          street: value('street'),
          postalCode: value('postalCode'),
          city: value('city'),
          country: value('country'),
          vatId: value('vatId'),
        },
      },
      { notify: false },
    )
    await queries.invalidateQueries({ queryKey: overview().queryKey })
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title="Billing address">
      <Form onSubmit={save} explain={explainFailure}>
        <TextField label="Company" name="company" optional defaultValue={address.company ?? ''} />
        <TextField label="Street" name="street" optional defaultValue={address.street ?? ''} />
        <div className="grid grid-cols-[10rem_1fr] gap-3">
          <TextField label="Postal code" name="postalCode" optional defaultValue={address.postalCode ?? ''} />
          <TextField label="City" name="city" optional defaultValue={address.city ?? ''} />
        </div>
        <CountryField label="Country" name="country" optional kept={address.country} />
        <TextField
          label="VAT ID"
          name="vatId"
          optional
          mono
          hint="With country prefix, such as NL123456789B01. Checked with VIES; must match the country above."
          defaultValue={address.vatId ?? ''}
        />
        <FormFooter onCancel={onClose}>Save address</FormFooter>
      </Form>
    </Dialog>
  )
}
