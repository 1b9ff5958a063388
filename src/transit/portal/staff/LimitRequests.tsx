import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { UserLink } from '../../../accounts/portal/staff/UserLink.tsx'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { DataTable } from '../../../ui/components/DataTable.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { TextAreaField, TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { useStaffDenial } from '../../../ui/staff/staff-denial.ts'
import type { StaffLimitRequest } from '../../contract.ts'
import { limitRequestClient, limitRequestsToDecide } from './limit-requests-api.ts'

/** Renders nothing while there are no requests. */
export function LimitRequests() {
  const { data = [] } = useQuery(limitRequestsToDecide())
  const [chosen, setChosen] = useState<StaffLimitRequest | null>(null)
  if (data.length === 0) return null
  return (
    <Section title="Requests for more routes">
      <DataTable
        label="Requests for more routes"
        rows={data}
        rowKey={({ id }) => id}
        columns={[
          { id: 'customer', header: 'Customer', cell: ({ customer }) => <UserLink id={customer.id} user={customer} /> },
          { id: 'family', header: 'Family', cell: ({ family }) => `IPv${family}` },
          {
            id: 'routes',
            header: 'Routes',
            align: 'right',
            cell: ({ routes, receiveLimit }) => (
              <span className="num">
                {routes} <span className="text-faint">now {receiveLimit}</span>
              </span>
            ),
          },
          { id: 'reason', header: 'Reason', cell: ({ reason }) => reason },
          { id: 'asked', header: 'Asked', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            id: 'decide',
            header: '',
            align: 'right',
            cell: (request) => <DecideButton request={request} onClick={() => setChosen(request)} />,
          },
        ]}
      />
      {chosen && <DecideLimit request={chosen} onDone={() => setChosen(null)} />}
    </Section>
  )
}

function DecideButton({ request: { customer }, onClick }: { request: StaffLimitRequest; onClick: () => void }) {
  const denial = useStaffDenial('network', customer.id)
  return (
    <Button size="sm" aria-label={`Decide request of ${customer.email}`} disabledReason={denial} onClick={onClick}>
      Decide
    </Button>
  )
}

function DecideLimit({ request, onDone }: { request: StaffLimitRequest; onDone: () => void }) {
  const queries = useQueryClient()
  const decide = async (values: FormValues, submission: Submission) => {
    const routes = values.text('routes')
    const left = await limitRequestClient.call['POST /api/admin/limit_requests/{id}/decide'](
      {
        params: { id: request.id },
        body: { routes: routes === '' ? null : Number(routes), reason: values.text('reason') },
      },
      submission,
    )
    queries.setQueryData(limitRequestsToDecide().queryKey, left)
    onDone()
  }
  return (
    <Dialog open onClose={onDone} title={`Route limit of IPv${request.family}`}>
      <Form onSubmit={decide} explain={explainFailure}>
        <p>
          {request.customer.email} asks for {request.routes} routes. The limit is {request.receiveLimit}.
        </p>
        <TextField
          label="New limit"
          name="routes"
          type="number"
          optional
          min={1}
          max={2_000_000}
          defaultValue={String(request.routes)}
          hint="Leave empty to decline."
        />
        <TextAreaField
          label="Reason"
          name="reason"
          rows={3}
          required
          minLength={3}
          maxLength={500}
          hint="Emailed to the customer."
        />
        <FormFooter onCancel={onDone}>Save decision</FormFooter>
      </Form>
    </Dialog>
  )
}
