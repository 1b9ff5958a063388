/**
 * The ids by which answers name their timings. Kept from the first answer on, which comes before the developer bar
 * does; an answer to a customer names none.
 */
import { observeResponses } from '../../ui/runtime/client.ts'

export const RESULTS = '/mini-profiler-resources/results'
/** The server keeps as many for each person. */
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
  /** Those that nobody took yet. */
  take: (): string[] => named.splice(0),
  onAnswer: (listener: () => void): void => void (notifyWatcher = listener),
}
