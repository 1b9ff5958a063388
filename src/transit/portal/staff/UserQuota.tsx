import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { TextAreaField, TextField } from '../../../ui/components/Field.tsx'
import type { FormValues, Submission } from '../../../ui/components/Form.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { notify } from '../../../ui/runtime/notifications.ts'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { useStaffDenial } from '../../../ui/staff/staff-denial.ts'
import type { AdminPrefixQuota } from '../../contract.ts'
import { prefixQuota, staffTransit } from './api.ts'

/** How many prefixes the account has and may have, with a button to change the limit. */
export function UserQuota({ userId }: { userId: number }) {
  const { data: quota } = useQuery(prefixQuota(userId))
  const [changing, setChanging] = useState(false)
  const denial = useStaffDenial('network', userId)
  if (!quota) return null
  const { prefixes, openRequests, own } = quota
  return (
    <Section
      title="Prefix quota"
      actions={
        <Button size="sm" disabledReason={denial} onClick={() => setChanging(true)}>
          Change quota
        </Button>
      }
    >
      <PropertyTable
        items={[
          { label: 'Prefixes', value: amount(prefixes) },
          { label: 'Open requests', value: amount(openRequests) },
          {
            label: 'Set by',
            value: own ? (
              <>
                {own.changedBy ?? 'a former member of staff'} <Time at={own.changedAt} />: {own.reason}
              </>
            ) : (
              <span className="text-faint">the approval policy</span>
            ),
            wide: true,
          },
        ]}
      />
      {changing && <QuotaDialog userId={userId} quota={quota} onClose={() => setChanging(false)} />}
    </Section>
  )
}

const amount = ({ used, limit }: AdminPrefixQuota['prefixes']) => (
  <span className="num">
    {used} of {limit}
  </span>
)

function QuotaDialog({ userId, quota, onClose }: { userId: number; quota: AdminPrefixQuota; onClose: () => void }) {
  const queries = useQueryClient()
  const change = async (values: FormValues, submission: Submission) => {
    const read = (name: string) => (values.text(name) === '' ? null : Number(values.text(name)))
    const body = { prefixes: read('prefixes'), openRequests: read('openRequests'), reason: values.text('reason') }
    const input = { params: { id: userId }, body }
    const after = await staffTransit.call['PUT /api/admin/users/{id}/prefix_quota'](input, submission)
    queries.setQueryData(prefixQuota(userId).queryKey, after)
    notify({ type: 'success', title: 'Prefix quota changed' })
  }
  const field = (name: 'prefixes' | 'openRequests', label: string) => (
    <TextField
      label={label}
      name={name}
      type="number"
      optional
      min={0}
      max={100_000}
      defaultValue={quota.own?.[name] ?? ''}
      hint={`Empty: ${quota.defaults[name]}, as in the approval policy. In use: ${quota[name].used}.`}
    />
  )
  return (
    <FormDialog title="Change prefix quota" action="Change quota" onClose={onClose} onSubmit={change}>
      {field('prefixes', 'Prefixes')}
      {field('openRequests', 'Open requests')}
      <TextAreaField
        label="Reason"
        name="reason"
        rows={3}
        maxLength={500}
        required
        hint="The customer can read it in their audit log."
      />
    </FormDialog>
  )
}
