import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { DataTable } from '../../../ui/components/DataTable.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { SelectField, TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { blackholes, controls } from './api.ts'
import { BLACKHOLE_CHOICES } from './durations.ts'

/** Addresses under attack: the edge drops their traffic, so that the rest of the network keeps working. */
export function BlackholeSection() {
  const queries = useQueryClient()
  const { data } = useSuspenseQuery(blackholes())
  const [open, setOpen] = useState(false)
  const done = () => setOpen(false)
  const refresh = () => queries.invalidateQueries({ queryKey: blackholes().queryKey })
  const add = async (values: FormValues, submission: Submission) => {
    const body = { address: values.text('address'), minutes: Number(values.text('minutes')) }
    await controls.call['POST /api/transit_blackholes']({ body }, submission)
    await refresh()
    done()
  }
  const remove = async (id: number) => {
    await controls.call['DELETE /api/transit_blackholes/{id}']({ params: { id } })
    await refresh()
  }
  return (
    <Section
      title="Blackholes"
      summary={data.length === 0 ? 'Drop all traffic to an address under attack.' : undefined}
      actions={
        <Button changes onClick={() => setOpen(true)}>
          Add blackhole
        </Button>
      }
    >
      {data.length > 0 && (
        <DataTable
          label="Blackholes"
          rows={data}
          rowKey={({ id }) => id}
          columns={[
            { id: 'address', header: 'Address', cell: ({ address }) => <Copyable value={address} /> },
            { id: 'begun', header: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
            { id: 'ends', header: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
            {
              id: 'remove',
              header: '',
              align: 'right',
              cell: ({ id, address }) => (
                <Button
                  changes
                  size="sm"
                  variant="quiet"
                  aria-label={`Remove blackhole ${address}`}
                  onClick={() => void remove(id)}
                >
                  Remove
                </Button>
              ),
            },
          ]}
        />
      )}
      <Dialog open={open} onClose={done} title="Add blackhole">
        <Form onSubmit={add} explain={explainFailure}>
          <p>
            Our edge drops all traffic to the address, and asks upstreams that take blackholes to drop it too (RFC
            7999). The address is unreachable from the Internet until the blackhole ends.
          </p>
          <TextField
            label="Address"
            name="address"
            mono
            required
            maxLength={45}
            autoComplete="off"
            spellCheck={false}
            hint="One IPv4 or IPv6 address inside one of your approved prefixes."
          />
          <SelectField
            label="For"
            name="minutes"
            defaultValue="60"
            choices={BLACKHOLE_CHOICES}
            hint="It ends automatically."
          />
          <FormFooter onCancel={done} variant="danger">
            Drop traffic
          </FormFooter>
        </Form>
      </Dialog>
    </Section>
  )
}
