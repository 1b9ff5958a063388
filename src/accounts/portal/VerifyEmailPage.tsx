import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { explainFailure } from '../../portal/explain-failure.ts'
import { adoptUser } from '../../portal/session.ts'
import { buttonLook } from '../../portal/ui/button-look.ts'
import { Callout } from '../../portal/ui/Callout.tsx'
import { Spinner } from '../../portal/ui/Spinner.tsx'
import { AccountFrame } from './AccountFrame.tsx'
import { AgreeToChange } from './AgreeToChange.tsx'
import { accounts } from './api.ts'

const route = getRouteApi('/verify/email')

/** A token works once: rendering the screen twice must not send it twice. */
const sent = new Map<string, ReturnType<typeof verify>>()
const verify = (token: string) => accounts.call['POST /api/verify/email']({ body: { token } }, { notify: false })

export function VerifyEmailPage() {
  const { token = '', change } = route.useSearch()
  return change === undefined ? <ProveAddress token={token} /> : <AgreeToChange token={change} />
}

function ProveAddress({ token }: { token: string }) {
  const router = useRouter()
  const [trouble, setTrouble] = useState<string | null>(null)
  useEffect(() => {
    const asked = sent.get(token) ?? verify(token)
    sent.set(token, asked)
    asked
      .then((user) => {
        adoptUser(user)
        return router.navigate({ to: '/' })
      })
      .catch((error: unknown) => {
        const explained = explainFailure(error)
        setTrouble(explained?.message ?? 'This link was used already or is too old. Sign in to have another one sent.')
      })
  }, [token, router])

  if (trouble === null) {
    return (
      <AccountFrame title="Verify your email">
        <output className="flex items-center gap-2.5 text-base text-dim">
          <Spinner /> Checking the link
        </output>
      </AccountFrame>
    )
  }
  return (
    <AccountFrame title="Verify your email">
      <Callout tone="bad" alert>
        {trouble}
      </Callout>
      <Link to="/login" className={buttonLook('primary', 'md', 'mt-4 h-9 w-full')}>
        Sign in
      </Link>
    </AccountFrame>
  )
}
