import { getRouteApi } from '@tanstack/react-router'
import { formatAsn } from '../../../kernel/asn.ts'
import { Callout, type CalloutTone } from '../../../ui/components/Callout.tsx'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { PageHeader } from '../../../ui/components/PageHeader.tsx'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { HttpFailure } from '../../../ui/runtime/http-failure.ts'
import { MessageScreen } from '../../../ui/screens/MessageScreen.tsx'
import { StandaloneLayout } from '../../../ui/screens/StandaloneLayout.tsx'
import type { VerifiedLoa } from '../../contract.ts'
import type { LoaState } from '../../states.ts'
import { LOA_BADGE } from '../prefix-labels.ts'

const route = getRouteApi('/loa/$code')

/** For recipients of a letter: shows whether it is in effect, and its facts. */
export function VerifyLoaPage() {
  const loa = route.useLoaderData()
  return (
    <StandaloneLayout>
      {'failure' in loa ? (
        <NotVerified status={loa.failure.status} message={loa.failure.message} />
      ) : (
        <Letter loa={loa} />
      )}
    </StandaloneLayout>
  )
}

const NotVerified = ({ status, message }: Pick<HttpFailure, 'status' | 'message'>) =>
  status === 404 ? (
    <MessageScreen title="No such letter" code="404">
      No letter of authorization has this code. Compare the address with the one on the letter. Do not rely on a letter
      that this page does not confirm.
    </MessageScreen>
  ) : (
    <MessageScreen title="The letter could not be verified" code={String(status)}>
      {message}
    </MessageScreen>
  )

function Letter({ loa }: { loa: VerifiedLoa }) {
  const { tone, label } = LOA_BADGE[loa.state]
  return (
    <div className="mx-auto max-w-3xl px-4 pt-4 pb-16 md:px-6">
      <PageHeader title="Letter of authorization" status={<StatusBadge tone={tone}>{label}</StatusBadge>} />
      <div className="mb-5">
        <Outcome loa={loa} />
      </div>
      <PropertyTable
        items={[
          { label: 'Prefix', value: <Copyable value={loa.prefix} /> },
          { label: 'Origin', value: <Copyable value={formatAsn(loa.originAsn)} /> },
          { label: 'Authorizes', value: `${loa.operator.name}, ${formatAsn(loa.operator.asn)}`, wide: true },
          {
            label: 'Signed by',
            wide: true,
            value: (
              <>
                <bdi>{loa.signatory.name}</bdi>, <bdi>{loa.signatory.title}</bdi>
                <span className="block text-sm text-dim">{loa.proof}</span>
              </>
            ),
          },
          {
            label: 'Block holder',
            wide: true,
            value: loa.holder ? (
              <>
                <bdi>{loa.holder.name}</bdi>, according to {loa.holder.registry} when the letter was signed
              </>
            ) : (
              'Not known when the letter was signed'
            ),
          },
          { label: 'Signed', value: <Time at={loa.signedAt} as="utc-day" /> },
          { label: 'Valid until', value: <Time at={loa.validUntil} as="utc-day" /> },
          { label: 'SHA-256', value: <Copyable value={loa.sha256} what="SHA-256" />, wide: true },
        ]}
      />
    </div>
  )
}

const TONES: Readonly<Record<LoaState, CalloutTone>> = {
  VALID: 'ok',
  UNAPPROVED: 'warn',
  VOID: 'warn',
  EXPIRED: 'warn',
  REVOKED: 'bad',
}

function Outcome({ loa }: { loa: VerifiedLoa }) {
  return (
    <Callout tone={TONES[loa.state]} title={titleOf(loa)}>
      {loa.state === 'VALID' &&
        'Compare your copy with the details below. A copy with another SHA-256 digest is not the file that was signed.'}
      {loa.state === 'UNAPPROVED' &&
        `${loa.operator.name} has not approved this prefix. Do not rely on this letter until this page says that it is valid.`}
      {loa.state === 'VOID' &&
        `The account that signed it has no pending or approved prefix ${loa.prefix} with this origin and this ASN at the moment.`}
      {loa.state === 'EXPIRED' && 'Ask for a new one.'}
      {loa.state === 'REVOKED' && (
        <>
          The account that signed it revoked it on <Time at={loa.revokedAt} as="utc-day" />.
        </>
      )}
    </Callout>
  )
}

const titleOf = ({ state }: VerifiedLoa): string =>
  ({
    VALID: 'This letter is valid',
    UNAPPROVED: 'The prefix of this letter is not approved',
    VOID: 'This letter is not in effect',
    EXPIRED: 'This letter has expired',
    REVOKED: 'This letter is revoked',
  })[state]
