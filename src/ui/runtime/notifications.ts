/** Notifications: a short list outside React, so that any code may add to it. */
export interface Notification {
  readonly type: 'error' | 'success' | 'info'
  readonly title: string
  readonly body?: string
  /** A second sentence in smaller text: the server's own words. */
  readonly detail?: string | null
  /** The id of the failed request, for support. */
  readonly reference?: string | null
  readonly action?: NotificationAction
}

export type NotificationAction =
  | { readonly label: string; readonly handler: () => void }
  | { readonly label: string; readonly to: '/billing' }

export interface PostedNotification extends Notification {
  readonly id: number
}

/** Older ones are dropped: nobody reads a wall of toasts. */
const MOST_AT_ONCE = 4

let posted: readonly PostedNotification[] = []
let lastId = 0
const watchers = new Set<() => void>()

function show(next: readonly PostedNotification[]): void {
  posted = next
  for (const notifyWatcher of watchers) notifyWatcher()
}

/** A notification with the same text replaces the earlier one. */
export function notify(notification: Notification): void {
  const others = posted.filter((one) => one.title !== notification.title || one.body !== notification.body)
  lastId += 1
  show([...others, { ...notification, id: lastId }].slice(-MOST_AT_ONCE))
}

export const dismissNotification = (id: number): void => show(posted.filter((one) => one.id !== id))
export const clearNotifications = (): void => {
  if (posted.length > 0) show([])
}

export const notifications = {
  current: (): readonly PostedNotification[] => posted,
  subscribe: (watcher: () => void): (() => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  },
}
