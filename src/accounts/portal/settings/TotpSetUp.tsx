import { useQuery } from '@tanstack/react-query'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { ErrorState } from '../../../ui/components/EmptyState.tsx'
import { TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { Skeleton } from '../../../ui/components/Skeleton.tsx'
import { accounts } from '../api.ts'
import { useConfirmIdentity } from '../proof/prove.ts'
import { QrCode } from './QrCode.tsx'

/** Shows a new secret and takes its first code. Nothing is switched on until that code is verified. */
export default function TotpSetUp({
  onDone,
  onClose,
}: {
  onDone: (recoveryCodes: readonly string[]) => void
  onClose: () => void
}) {
  const confirmIdentity = useConfirmIdentity()
  const begun = useQuery({
    queryKey: ['totp setup'],
    queryFn: () => accounts.call['POST /api/user/totp']({ body: {} }, { notify: false }),
    // The secret is never cached: opening the setup again creates another one.
    staleTime: Infinity,
    gcTime: 0,
  })
  const confirm = async (values: FormValues, submission: Submission) => {
    if (!(await confirmIdentity())) return
    const { recoveryCodes } = await accounts.call['PUT /api/user/totp'](
      { body: { code: values.text('code') } },
      submission,
    )
    onDone(recoveryCodes)
  }
  return (
    <Dialog open onClose={onClose} title="Set up an authenticator app">
      {begun.isError && <ErrorState>{explainFailure(begun.error)?.message ?? 'Try again in a moment.'}</ErrorState>}
      {!begun.isError && (
        <Form onSubmit={confirm} explain={explainFailure} label="Set up an authenticator app" className="grid gap-4">
          <p className="text-sm text-dim">Scan this with your app, then enter the code it shows.</p>
          <div className="grid justify-items-center gap-3">
            {begun.data ? (
              <QrCode text={begun.data.uri} label="The secret for your app, as a QR code" />
            ) : (
              <Skeleton className="size-49" />
            )}
            <div className="min-h-6 text-center text-sm">
              {begun.data && <Copyable value={begun.data.secret} what="the secret" />}
            </div>
            {begun.data && (
              <a href={begun.data.uri} className="link text-sm">
                Open the app on this device
              </a>
            )}
          </div>
          <TextField
            label="Code"
            name="code"
            mono
            required
            inputMode="numeric"
            autoComplete="one-time-code"
            className="max-w-40"
            hint="Other browsers are signed out once the code is confirmed."
          />
          <FormFooter onCancel={onClose}>Switch on</FormFooter>
        </Form>
      )}
    </Dialog>
  )
}
