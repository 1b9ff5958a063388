import { Link } from '@tanstack/react-router'
import { useUser } from '../../portal/session.ts'
import { buttonLook } from '../../portal/ui/button-look.ts'
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
        className={buttonLook('primary', 'md', 'h-9 w-full')}
      >
        Sign in
      </Link>
    </AccountFrame>
  )
}
