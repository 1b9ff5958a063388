import { useQueryClient } from '@tanstack/react-query'
import { formatAsn, MAX_ASN, parseAsn, reservedAsnReason } from '../../kernel/asn.ts'
import { explainFailure } from '../../ui/runtime/explain-failure.ts'
import { refreshUser } from '../../ui/runtime/session.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Callout } from '../../ui/components/Callout.tsx'
import { TextField } from '../../ui/components/Field.tsx'
import { Form, type FormErrors, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { connection } from './api.ts'

class NoAsn extends Error {
  override readonly name = 'NoAsn'
}

/** Registers or changes the account's ASN. Changing a verified one suspends its prefixes; the form says so first. */
export function AsnForm({ asn, verified, onDone }: { asn: number | null; verified: boolean; onDone: () => void }) {
  const queries = useQueryClient()
  const save = async (values: FormValues, submission: Submission) => {
    const wanted = readAsn(values.text('asn'))
    const saved = await connection.call['PUT /api/transit_connection']({ body: { asn: wanted } }, submission)
    queries.setQueryData(connection.query['GET /api/transit_connection']().queryKey, saved)
    await refreshUser()
    onDone()
  }
  return (
    <Form onSubmit={save} explain={explain}>
      {({ busy }) => (
        <>
          {verified && (
            <Callout tone="warn" title="Changing the ASN removes its verification">
              Your prefixes are suspended immediately. You can’t manage your routers until the new ASN is verified.
            </Callout>
          )}
          <TextField
            label="ASN"
            name="asn"
            mono
            required
            defaultValue={asn === null ? '' : formatAsn(asn)}
            placeholder="AS64500"
            autoComplete="off"
            spellCheck={false}
            className="max-w-60"
            hint="The AS number assigned to you by RIPE NCC, ARIN, APNIC, LACNIC or AFRINIC."
          />
          <div className="flex gap-2">
            <Button type="submit" variant="primary" busy={busy}>
              {asn === null ? 'Register ASN' : 'Change ASN'}
            </Button>
            {asn !== null && <Button onClick={onDone}>Cancel</Button>}
          </div>
        </>
      )}
    </Form>
  )
}

/** Throws {@link NoAsn} with the reason as text. */
function readAsn(text: string): number {
  const asn = parseAsn(text.replaceAll(/\s/g, ''))
  if (asn === null) throw new NoAsn(`Enter an ASN such as AS64500 or 64500, up to ${MAX_ASN}.`)
  const reserved = reservedAsnReason(asn)
  if (reserved) throw new NoAsn(`${formatAsn(asn)} can’t be assigned to you: ${reserved}.`)
  return asn
}

const explain = (error: unknown): FormErrors | null =>
  error instanceof NoAsn ? { fields: { asn: error.message }, message: null } : explainFailure(error)
