import { useQuery } from '@tanstack/react-query'
import type { TextsApi } from '../../admin/texts/contract.ts'
import { createClient } from '../client.ts'
import { Icon } from '../ui/Icon.tsx'

const { query } = createClient<Pick<TextsApi, 'GET /api/notice'>>({ news: { 'GET /api/notice': ['notice'] } })

/** A timer counts to 24 days and no further. */
const LONGEST_MS = 24 * 86_400_000
/** Past the moment, whatever the clocks say. */
const AFTER_MS = 1_500

/** What the operator has to say to everybody, from its beginning to its end. */
export default function OperatorNotice() {
  const { data } = useQuery({
    ...query['GET /api/notice'](),
    refetchInterval: ({ state }) => {
      const at = state.data?.changesAt
      return at ? Math.min(LONGEST_MS, Math.max(0, Date.parse(at) - Date.now()) + AFTER_MS) : false
    },
  })
  if (!data?.notice) return null
  const { text, tone } = data.notice
  return (
    <aside
      aria-label="Notice"
      className={`flex items-start gap-2.5 border-b px-4 py-2 text-sm md:px-8 ${tone === 'warn' ? 'border-warn/40 bg-warn-soft' : 'border-line bg-accent-soft'}`}
    >
      <Icon
        name={tone === 'warn' ? 'warning' : 'info'}
        className={`mt-0.5 ${tone === 'warn' ? 'text-warn' : 'text-accent'}`}
      />
      <p className="min-w-0 whitespace-pre-line wrap-anywhere">{text}</p>
    </aside>
  )
}
