import { Link } from '@tanstack/react-router'
import { useUser } from '../../ui/runtime/session.ts'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { AsnVerification } from './AsnVerification.tsx'

export function AwaitingVerificationPage() {
  const user = useUser()
  if (user) return <AsnVerification user={user} />
  return (
    <AccountFrame title="Verify your ASN" summary="Sign in to see your ASN verification status.">
      <Link
        to="/login"
        search={{ redirect: '/awaiting-verification' }}
        className={buttonClass('primary', 'md', 'h-9 w-full')}
      >
        Sign in
      </Link>
    </AccountFrame>
  )
}
