import { queryClient } from '../../../ui/live/query-client.ts'
import { accounts } from '../api.ts'
import { settingsSearch, type SettingsTab } from './tabs.ts'

/**
 * Milliseconds to wait for the data before the skeletons are shown. Most responses arrive by then, so nothing moves.
 */
const PATIENCE_MS = 400

const { query } = accounts
const PARTS: Readonly<Partial<Record<SettingsTab, () => readonly Parameters<typeof queryClient.prefetchQuery>[0][]>>> =
  {
    profile: () => [query['GET /api/user/asn_proofs'](), query['GET /api/user/close']()],
    'sign-in': () => [
      query['GET /api/user/passkeys'](),
      query['GET /api/sessions'](),
      query['GET /api/user/api_tokens'](),
    ],
    access: () => [query['GET /api/user/api_tokens'](), query['GET /api/user/ssh_keys']()],
    mails: () => [query['GET /api/user/mail_preferences']()],
  }

/**
 * Loads the sections of one tab in parallel. The route depends on none of them: a section that fails shows its own
 * error.
 */
export async function loadSettings({
  deps,
  cause,
}: {
  deps: { tab?: SettingsTab | undefined }
  cause: 'preload' | 'enter' | 'stay'
}): Promise<void> {
  const { tab = 'profile' } = settingsSearch(deps)
  const asked = Promise.all((PARTS[tab]?.() ?? []).map((part) => queryClient.prefetchQuery(part)))
  // When the user switches tabs, the tab itself stays and its sections load in their own time.
  if (cause === 'enter') await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
}
