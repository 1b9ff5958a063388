import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatAsn } from '../../kernel/asn.ts'
import type { CurrentUser } from '../../portal/session.ts'
import type { TransitConnection } from '../../transit/contract.ts'
import { Button } from '../../portal/ui/Button.tsx'
import { buttonLook } from '../../portal/ui/button-look.ts'
import { PageHeader, Panel } from '../../portal/ui/PageHeader.tsx'
import { StageList, type Stage } from '../../portal/ui/StageList.tsx'
import { connection } from './api.ts'
import { AsnForm } from './AsnForm.tsx'

/** Where the proof of an ASN stands, and what the reader can do about it now. */
export function AsnVerification({ user }: { user: CurrentUser }) {
  const { data } = useSuspenseQuery(connection.query['GET /api/transit_connection']())
  const [changes, setChanges] = useState(false)
  const verified = user.asnVerifiedAt !== null
  const asks = data.asn === null || changes
  return (
    <div className="max-w-3xl">
      <PageHeader
        title="Verify your ASN"
        summary="Routers and transit are for holders of an autonomous system number. A mail to a mailbox that the registry lists for it proves that it is yours."
        actions={
          verified ? (
            <Link to="/" className={buttonLook('primary')}>
              Go to your routers
            </Link>
          ) : null
        }
      />
      {asks ? (
        <Panel className="mb-6 p-5">
          <AsnForm asn={data.asn} onDone={() => setChanges(false)} />
        </Panel>
      ) : (
        <div className="mb-3 flex items-center justify-between gap-3">
          <p className="font-mono text-lg font-semibold">{data.asn !== null && formatAsn(data.asn)}</p>
          {!verified && (
            <Button size="sm" onClick={() => setChanges(true)}>
              Change
            </Button>
          )}
        </div>
      )}
      <StageList label="Verification" stages={stagesOf(data, user.asnVerifiedAt)} />
    </div>
  )
}

function stagesOf({ asn, verification }: TransitConnection, verifiedAt: string | null): Stage[] {
  const sent = verification?.state === 'sent' || verification?.state === 'verified' || verifiedAt !== null
  const expired = verification?.state === 'expired' && verifiedAt === null
  return [
    {
      id: 'asn',
      label: 'ASN',
      state: asn === null ? 'now' : 'done',
      summary: asn === null ? 'Tell us which one is yours' : formatAsn(asn),
    },
    {
      id: 'sent',
      label: 'Link sent',
      state: expired ? 'attention' : sent ? 'done' : asn === null ? 'waiting' : 'now',
      at: verification?.sentAt ?? null,
      summary: expired
        ? 'The link ran out before anybody opened it'
        : sent
          ? 'To a contact that the registry lists'
          : 'Staff look up the contacts of the registry and send it, on working days within hours',
      ...(expired
        ? {
            evidence: (
              <p>
                Write to support from the address of your account: staff will send another one, to another contact if
                you wish.
              </p>
            ),
          }
        : {}),
    },
    {
      id: 'confirmed',
      label: 'Confirmed',
      state: verifiedAt !== null ? 'done' : sent && !expired ? 'now' : 'waiting',
      at: verifiedAt,
      summary:
        verifiedAt !== null
          ? 'Everything is open to you'
          : sent && !expired
            ? 'Open the link in that mailbox and confirm'
            : undefined,
    },
  ]
}
