/** The settings tabs in the order shown. */
export const SETTINGS_TABS = [
  { id: 'profile', label: 'Profile', keywords: 'name address email theme light dark appearance close account delete' },
  { id: 'sign-in', label: 'Sign-in', keywords: 'password passkey two-factor totp authenticator recovery sessions' },
  { id: 'access', label: 'Keys and tokens', keywords: 'api token scope ssh key program terraform' },
  { id: 'webhooks', label: 'Webhooks', keywords: 'hook callback endpoint delivery events integration' },
  { id: 'mails', label: 'Notifications', keywords: 'mails email preferences' },
  { id: 'activity', label: 'Activity', keywords: 'audit trail log history' },
] as const

export type SettingsTab = (typeof SETTINGS_TABS)[number]['id']

/** `?tab=`: an unknown tab is dropped, which shows the first one. */
export const settingsSearch = ({ tab }: Record<string, unknown>): { tab?: SettingsTab } => {
  const known = SETTINGS_TABS.find(({ id }) => id === tab)
  return known ? { tab: known.id } : {}
}
