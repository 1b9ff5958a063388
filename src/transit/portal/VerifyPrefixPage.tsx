import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AccountFrame } from '../../accounts/portal/AccountFrame.tsx'
import { MissingTokenPage } from '../../accounts/portal/MissingTokenPage.tsx'
import { SubmitButton } from '../../accounts/portal/SubmitButton.tsx'
import { formatAsn } from '../../kernel/asn.ts'
import type { Answer } from '../../kernel/endpoint.ts'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { Callout } from '../../ui/components/Callout.tsx'
import { Form, type FormErrors, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import { productName, supportEmail } from '../../ui/runtime/page-settings.ts'
import type { TransitApi } from '../contract.ts'
import { transit } from './api.ts'

const route = getRouteApi('/verify/prefix')
const homepage = (
  <Link to="/" className={buttonClass('primary', 'md', 'h-9 w-full')}>
    Back to homepage
  </Link>
)

/** Opened by a registry contact, who has to press the button, because email scanners follow links and run scripts. */
export function VerifyPrefixPage() {
  const { token = '', withdraw } = route.useSearch()
  return withdraw === undefined ? <ConfirmPrefix token={token} /> : <WithdrawConfirmation token={withdraw} />
}

function ConfirmPrefix({ token }: { token: string }) {
  const [confirmed, setConfirmed] = useState<Answer<TransitApi['POST /api/verify/prefix']> | null>(null)
  const confirm = async (_: FormValues, submission: Submission) =>
    setConfirmed(await transit.call['POST /api/verify/prefix']({ body: { token } }, submission))
  if (token === '') return <MissingTokenPage title="Prefix confirmation">{homepage}</MissingTokenPage>
  if (confirmed) {
    return (
      <AccountFrame
        title="Confirmed"
        summary={
          confirmed.originAsn === null
            ? `Thank you. Our staff decide about ${confirmed.prefix} with your confirmation.`
            : `Thank you. ${formatAsn(confirmed.originAsn)} has agreed to this transit.`
        }
      >
        {homepage}
      </AccountFrame>
    )
  }
  return (
    <AccountFrame
      title="Prefix confirmation"
      summary={`A customer of ${productName} wants to announce addresses, and the registry lists your email address for them or for their network. The email says which. Confirm only if your organization wants that.`}
    >
      <Form onSubmit={confirm} explain={explainConfirmation}>
        <SubmitButton>Confirm</SubmitButton>
        <Callout>Not you? Close this page. The link expires without effect.</Callout>
      </Form>
    </AccountFrame>
  )
}

function WithdrawConfirmation({ token }: { token: string }) {
  const [withdrawn, setWithdrawn] = useState<Answer<TransitApi['POST /api/verify/prefix/withdraw']> | null>(null)
  const withdraw = async (_: FormValues, submission: Submission) =>
    setWithdrawn(await transit.call['POST /api/verify/prefix/withdraw']({ body: { token } }, submission))
  if (withdrawn) {
    return (
      <AccountFrame
        title="Withdrawn"
        summary={
          withdrawn.originAsn === null
            ? `Your confirmation of ${withdrawn.prefix} no longer counts. Our staff have been notified.`
            : `${formatAsn(withdrawn.originAsn)} no longer agrees to this transit. Our staff and the customer have been notified.`
        }
      >
        {homepage}
      </AccountFrame>
    )
  }
  return (
    <AccountFrame
      title="Withdraw the confirmation"
      summary={`You confirmed that a customer of ${productName} may announce addresses or be your transit. The email says which. If you withdraw that, prefixes that rely on it may no longer be announced.`}
    >
      <Form onSubmit={withdraw} explain={explainWithdrawal}>
        <SubmitButton>Withdraw</SubmitButton>
        <Callout>Still right? Close this page. Your confirmation counts as before.</Callout>
      </Form>
    </AccountFrame>
  )
}

function explainWithdrawal(error: unknown): FormErrors | null {
  if (error instanceof HttpFailure && error.status === 422)
    return { fields: {}, message: `This link is not valid. Contact ${supportEmail} to withdraw your confirmation.` }
  return explainFailure(error)
}

function explainConfirmation(error: unknown): FormErrors | null {
  if (error instanceof HttpFailure && error.status === 422)
    return { fields: {}, message: 'This link has expired or was already used. Ask support to send another one.' }
  return explainFailure(error)
}
