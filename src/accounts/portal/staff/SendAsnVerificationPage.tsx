import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { formatAsn } from '../../../kernel/asn.ts'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { PageHeader } from '../../../ui/components/PageHeader.tsx'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { newAsnVerification } from './api.ts'
import { AsnState } from './AsnDetail.tsx'
import { ContactForm } from './ContactForm.tsx'
import { Crumbs } from '../../../ui/components/Crumbs.tsx'
import { fullName } from './user-name.ts'

const route = getRouteApi('/_signed-in/admin/users/$id/asn_verifications/new')

/** Lists the registry contacts of the ASN that a user claims, and sends the verification link to one of them. */
export function SendAsnVerificationPage() {
  const { id } = route.useParams()
  const queries = useQueryClient()
  const draft = newAsnVerification(id)
  const { data } = useSuspenseQuery(draft)
  const { user, asn } = data
  return (
    <div className="max-w-3xl">
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/users/">Customers</Link>
            <Link to="/admin/users/$id" params={{ id }}>
              {fullName(user)}
            </Link>
          </Crumbs>
        }
        title="Send ASN Verification"
        summary="Emails a link to a registry contact, who confirms that the ASN belongs to this user."
      />
      {asn === null ? (
        <EmptyState icon="transit" title="No ASN to verify">
          {fullName(user)} has not entered an ASN yet. Its registry contacts appear here once they do.
        </EmptyState>
      ) : (
        <>
          <PropertyTable
            items={[
              { label: 'ASN', value: <Copyable value={formatAsn(asn)} /> },
              { label: 'Holder', value: data.holder ?? <span className="text-faint">not found in the registry</span> },
              { label: 'Last change', value: <Time at={data.changedAt} none="not stated by the registry" /> },
              { label: 'User', value: `${fullName(user)}, ${user.email}` },
              {
                label: 'Verified',
                value: (
                  <span className="flex flex-wrap items-center gap-x-2">
                    <AsnState verified={data.asnVerifiedAt !== null} />
                    {data.asnVerifiedAt && <Time at={data.asnVerifiedAt} />}
                  </span>
                ),
              },
              ...(data.link
                ? [
                    {
                      label: 'Pending link',
                      value: (
                        <span className="grid gap-1">
                          <Copyable value={data.link} what="verification link" />
                          <span className="text-dim">
                            Not the emailed link: if it is used, the ASN counts as verified by you, at low strength.
                          </span>
                        </span>
                      ),
                      wide: true,
                    },
                  ]
                : []),
            ]}
          />
          <ContactForm draft={data} asn={asn} onSent={() => queries.invalidateQueries({ queryKey: draft.queryKey })} />
        </>
      )}
    </div>
  )
}
