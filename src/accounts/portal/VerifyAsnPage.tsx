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
 * Opened by whoever reads the mailbox that the registry lists. A person has to press: scanners of mail follow links
 * and run their scripts, and would hand the number to whoever asked for it.
 */
export function VerifyAsnPage() {
  const { token = '' } = route.useSearch()
  const [asn, setAsn] = useState<number | null>(null)
  const confirm = async (_: FormValues, submission: Submission) => {
    const proof = await accounts.call['POST /api/verify/asn']({ body: { token } }, submission)
    // Whoever confirms need not be signed in; if it is the customer, the guards have to know.
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
      summary={`Someone asked ${productName} to carry routes for an ASN, and the registry lists your email address for it. Confirm only if this was you or your organisation.`}
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
