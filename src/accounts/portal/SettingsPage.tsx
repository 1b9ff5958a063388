import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode } from 'react'
import { PartBoundary } from '../../portal/screens/PartBoundary.tsx'
import { PageHeader } from '../../portal/ui/PageHeader.tsx'
import { TableSkeleton } from '../../portal/ui/Skeleton.tsx'
import { Tabs } from '../../portal/ui/Tabs.tsx'
import { ProofGate } from './proof/ProofGate.tsx'
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
      <ProofGate>
        <Tabs
          label="Parts of the settings"
          selected={tab}
          onSelect={(id) => {
            const chosen = SETTINGS_TABS.find((part) => part.id === id)
            if (chosen)
              void navigate({ to: '/settings', search: { tab: chosen.id }, replace: true, viewTransition: false })
          }}
          tabs={SETTINGS_TABS.map(({ id, label }) => ({
            id,
            label,
            content: <PartBoundary loading={<TableSkeleton />}>{CONTENT[id]}</PartBoundary>,
          }))}
        />
      </ProofGate>
    </>
  )
}
