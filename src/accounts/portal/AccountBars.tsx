import { useUser } from '../../ui/runtime/session.ts'
import { ImpersonationBar } from './impersonation/ImpersonationBar.tsx'
import { SecondFactorResetBar } from './SecondFactorResetBar.tsx'

export default function AccountBars() {
  const user = useUser()
  return (
    <>
      {user?.impersonation && <ImpersonationBar user={user} impersonation={user.impersonation} />}
      {user?.secondFactorReset && <SecondFactorResetBar reset={user.secondFactorReset} />}
    </>
  )
}
