/** Emails about maintenance windows, in UTC: an email does not know the time zone of its reader. */
import type { Notification } from '../../accounts/index.ts'
import type { MaintenanceWindow } from '../contract.ts'
import { EFFECT_TEXT, placeText, timeSpan, type MaintenanceEffect } from './policy.ts'

export type MaintenanceNotice = 'announced' | 'changed' | 'cancelled'

interface PlannedWindow {
  readonly title: string
  readonly effect: MaintenanceEffect
  readonly starts_at: Date
  readonly ends_at: Date
  readonly cancelled_at: Date | null
  readonly cancelled_reason: string | null
}

const SUBJECT: Readonly<Record<MaintenanceNotice, string>> = {
  announced: 'Planned maintenance',
  changed: 'Changed: planned maintenance',
  cancelled: 'Canceled: planned maintenance',
}

/** `view` is null for a customer whom the window no longer affects. */
export function maintenanceEmail(
  row: PlannedWindow,
  view: MaintenanceWindow | null,
  notice: MaintenanceNotice,
): Notification {
  const span = `${timeSpan(row.starts_at, row.ends_at, 'UTC')} UTC`
  const where = view ? ` ${placeText(view.routers)}` : ''
  const transit = view?.routers.some(({ sessions }) => sessions) ?? false
  const names = view?.routers.map(({ name }) => name) ?? []
  return {
    subject: `${SUBJECT[notice]}${where}, ${span}`,
    paragraphs:
      notice === 'cancelled'
        ? [
            row.cancelled_at! < row.starts_at
              ? `The maintenance planned for ${span} is canceled: ${row.title}`
              : `The maintenance of ${span} has ended early: ${row.title}`,
            `Reason: ${row.cancelled_reason!}`,
          ]
        : [
            ...(notice === 'changed' ? ['We changed the maintenance that we announced to you. It is now:'] : []),
            `${span}${where}: ${row.title}`,
            ...(view
              ? [EFFECT_TEXT[row.effect], `Affected: ${affected(names, transit)}.`]
              : ['It no longer affects your routers or your IP transit.']),
          ],
    action: transit ? { label: 'View IP Transit', path: '/transit' } : { label: 'View routers', path: '/' },
  }
}

const affected = (routers: readonly string[], transit: boolean): string =>
  `router${routers.length > 1 ? 's' : ''} ${routers.join(', ')}${transit ? ' and BGP sessions' : ''}`
