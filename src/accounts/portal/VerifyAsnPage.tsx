import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatAsn } from '../../kernel/asn.ts'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import { productName } from '../../ui/runtime/page-settings.ts'
import { refreshUser } from '../../ui/runtime/session.ts'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { Callout } from '../../ui/components/Callout.tsx'
import { Form, type FormErrors, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { AccountFrame } from './AccountFrame.tsx'
import { accounts } from './api.ts'
import { MissingTokenPage } from './MissingTokenPage.tsx'
import { SubmitButton } from './SubmitButton.tsx'

const route = getRouteApi('/verify/asn')

/**
 * Opened by the reader of the mailbox that the registry lists. It takes a click: mail scanners follow links and run
 * their scripts, and would otherwise verify the ASN for anyone who claimed it.
 */
export function VerifyAsnPage() {
  const { token = '' } = route.useSearch()
  const [asn, setAsn] = useState<number | null>(null)
  const confirm = async (_: FormValues, submission: Submission) => {
    const proof = await accounts.call['POST /api/verify/asn']({ body: { token } }, submission)
    // The reader need not be signed in. If it is the customer, the route guards need the updated user.
    await refreshUser().catch(() => null)
    setAsn(proof.asn)
  }
  if (asn !== null) {
    return (
      <AccountFrame
        title={`${formatAsn(asn)} is verified`}
        summary="The account can now run routers and request prefixes for this ASN."
      >
        <Link to="/" className={buttonClass('primary', 'md', 'h-9 w-full')}>
          Continue
        </Link>
      </AccountFrame>
    )
  }
  if (token === '') {
    return (
      <MissingTokenPage title="ASN verification">
        <Link to="/" className={buttonClass('primary', 'md', 'h-9 w-full')}>
          Back to homepage
        </Link>
      </MissingTokenPage>
    )
  }
  return (
    <AccountFrame
      title="ASN verification"
      summary={`Someone asked ${productName} to carry routes for an ASN, and the registry lists your email address for it. Confirm only if this was you or your organization.`}
    >
      <Form onSubmit={confirm} explain={explainConfirmation}>
        <SubmitButton>Confirm ASN</SubmitButton>
        <Callout>Not you? Close this page. The link expires without effect.</Callout>
      </Form>
    </AccountFrame>
  )
}

function explainConfirmation(error: unknown): FormErrors | null {
  if (error instanceof HttpFailure && error.status === 422) {
    return { fields: {}, message: 'This link has expired or was already used. Ask support to send another one.' }
  }
  return explainFailure(error)
}
