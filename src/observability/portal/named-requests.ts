/**
 * Collects the ids by which responses name their timings. It starts with the first response, before the developer bar
 * has loaded. Responses to customers name none.
 */
import { observeResponses } from '../../ui/runtime/client.ts'

export const RESULTS = '/mini-profiler-resources/results'
/** The server keeps the same number for each user. */
export const MOST_NAMED = 200

let named: string[] = []
let notifyWatcher: () => void = () => undefined

observeResponses((response, { target }) => {
  if (target.startsWith(RESULTS)) return
  const ids = (response.headers.get('profiler-ids') ?? '').split(',').map((id) => id.trim())
  named = [...named, ...ids.filter((id) => id !== '')].slice(-MOST_NAMED)
  notifyWatcher()
})

export const namedRequests = {
  /** Returns the ids that were not taken yet. */
  take: (): string[] => named.splice(0),
  onAnswer: (listener: () => void): void => void (notifyWatcher = listener),
}
