import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { Callout } from '../../../ui/components/Callout.tsx'
import { Checkbox } from '../../../ui/components/choices.tsx'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { DownloadLink } from '../../../ui/components/DownloadLink.tsx'
import { TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { HttpFailure } from '../../../ui/runtime/http-failure.ts'
import type { Loa, TransitPrefix } from '../../contract.ts'
import { loaDraft, loasOf, transit } from '../api.ts'

export default function SignLoa({ prefix, onClose }: { prefix: TransitPrefix; onClose: () => void }) {
  const [signed, setSigned] = useState<Loa | null>(null)
  return (
    <Dialog
      open
      onClose={onClose}
      title={signed ? 'Letter signed' : `Letter of authorization: ${prefix.value}`}
      {...(signed && {
        footer: (
          <>
            <Button onClick={onClose}>Close</Button>
            <DownloadLink href={`/api/transit_prefixes/${prefix.id}/loas/${signed.id}.pdf`} variant="primary" size="md">
              Download PDF
            </DownloadLink>
          </>
        ),
      })}
    >
      {signed ? <SignedLetter loa={signed} /> : <SignForm prefix={prefix} onClose={onClose} onSigned={setSigned} />}
    </Dialog>
  )
}

const SignedLetter = ({ loa }: { loa: Loa }) => (
  <div className="grid gap-3">
    <p>
      Send the PDF to the network that asked for it. Anyone who has the letter can verify it at this address, which is
      printed on it:
    </p>
    <Copyable value={loa.verifyUrl} what="address" />
  </div>
)

function SignForm({
  prefix,
  onClose,
  onSigned,
}: {
  prefix: TransitPrefix
  onClose: () => void
  onSigned: (loa: Loa) => void
}) {
  const queries = useQueryClient()
  // The signatory must sign the current text, not one fetched when the dialog was last open.
  const { data: draft, error } = useQuery({ ...loaDraft(prefix.id), gcTime: 0, staleTime: Infinity })
  const sign = async (values: FormValues, submission: Submission) => {
    const body = { name: values.text('name'), title: values.text('title'), textDigest: draft!.textDigest }
    try {
      const input = { params: { id: prefix.id }, body }
      const loa = await transit.call['POST /api/transit_prefixes/{id}/loas'](input, submission)
      await queries.invalidateQueries({ queryKey: loasOf(prefix.id).queryKey })
      onSigned(loa)
    } catch (failure) {
      if (failure instanceof HttpFailure && failure.problem.code === 'text_changed')
        await queries.refetchQueries({ queryKey: loaDraft(prefix.id).queryKey })
      throw failure
    }
  }
  if (error) return <Callout tone="warn">{error.message}</Callout>
  if (!draft) return <p>Loading the text…</p>
  return (
    <Form onSubmit={sign} explain={explainFailure}>
      <blockquote className="grid gap-2 rounded-md border border-line bg-sunken px-3 py-2.5">
        {draft.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </blockquote>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Full name" name="name" required maxLength={120} autoComplete="name" />
        <TextField label="Role" name="title" required maxLength={120} placeholder="Head of Network" />
      </div>
      <div className="grid gap-1 text-sm text-dim">
        <p>The letter also says:</p>
        <ul className="grid list-disc gap-1 pl-5">
          {[draft.proof, ...draft.evidence].map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
      <Checkbox
        label="I have read this text and sign it."
        hint="The letter is kept as you sign it. You can revoke it on the page of the prefix."
        name="accepted"
        required
      />
      <FormFooter onCancel={onClose}>Sign letter</FormFooter>
    </Form>
  )
}
