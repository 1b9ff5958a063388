import { observeResponses } from './client.ts'
import { dismissNotification, notifications, notify } from './notifications.ts'
import { release } from './page-settings.ts'

const TITLE = 'New Dashboard Available'

/** Offers a reload as soon as a response shows that the server runs another release than this page. */
export function watchRelease(reload: () => void): () => void {
  return observeResponses((response) => {
    const served = response.headers.get('x-release-version')
    if (served === null || release === '' || served === release) return
    if (notifications.current().some((shown) => shown.title === TITLE)) return
    notify({
      type: 'info',
      title: TITLE,
      body: 'An new version of the dashboard is ready.',
      action: {
        label: 'Reload',
        handler: () => {
          for (const shown of notifications.current()) if (shown.title === TITLE) dismissNotification(shown.id)
          reload()
        },
      },
    })
  })
}
