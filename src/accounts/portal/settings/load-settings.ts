import { queryClient } from '../../../ui/live/query-client.ts'
import { accounts } from '../api.ts'
import { settingsSearch, type SettingsTab } from './tabs.ts'

/** How long the screen waits for its parts before it shows their shapes: most answers are here by then, and nothing moves. */
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

/** Asks for the parts of one tab side by side. None of them is the route's: one that fails says so in its own place. */
export async function loadSettings({
  deps,
  cause,
}: {
  deps: { tab?: SettingsTab | undefined }
  cause: 'preload' | 'enter' | 'stay'
}): Promise<void> {
  const { tab = 'profile' } = settingsSearch(deps)
  const asked = Promise.all((PARTS[tab]?.() ?? []).map((part) => queryClient.prefetchQuery(part)))
  // Between tabs the tab itself stays in view: its parts come in their own time.
  if (cause === 'enter') await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
}
