import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode } from 'react'
import { SectionErrorBoundary } from '../../ui/screens/SectionErrorBoundary.tsx'
import { PageHeader } from '../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../ui/components/Skeleton.tsx'
import { Tabs } from '../../ui/components/Tabs.tsx'
import { IdentityGate } from './proof/IdentityGate.tsx'
import { SETTINGS_TABS, settingsSearch, type SettingsTab } from './settings/tabs.ts'

const route = getRouteApi('/_signed-in/settings')

const ProfileTab = lazy(() => import('./settings/ProfileTab.tsx'))
const SignInTab = lazy(() => import('./settings/SignInTab.tsx'))
const AccessTab = lazy(() => import('./settings/AccessTab.tsx'))
const WebhooksTab = lazy(() => import('../../webhooks/portal/WebhooksTab.tsx'))
const MailTab = lazy(() => import('./settings/MailTab.tsx'))
const ActivityTab = lazy(() => import('./settings/ActivityTab.tsx'))

const CONTENT: Record<SettingsTab, ReactNode> = {
  profile: <ProfileTab />,
  'sign-in': <SignInTab />,
  access: <AccessTab />,
  webhooks: <WebhooksTab />,
  mails: <MailTab />,
  activity: <ActivityTab />,
}

export function SettingsPage() {
  const { tab = 'profile' } = settingsSearch({ ...route.useSearch() })
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title="Settings" />
      <IdentityGate>
        <Tabs
          label="Parts of the settings"
          selected={tab}
          onSelect={(id) => {
            const chosen = SETTINGS_TABS.find((part) => part.id === id)
            if (chosen) void navigate({ to: '/settings', search: { tab: chosen.id }, replace: true })
          }}
          tabs={SETTINGS_TABS.map(({ id, label }) => ({
            id,
            label,
            content: <SectionErrorBoundary loading={<TableSkeleton />}>{CONTENT[id]}</SectionErrorBoundary>,
          }))}
        />
      </IdentityGate>
    </>
  )
}
