/** Opens a console: one ticket for each connection, and a text for why it ended. */
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import { failureText } from '../../ui/runtime/error-catalogue.ts'
import { routers } from './api.ts'

export type ConsoleKind = 'serial' | 'display'

export type ConsoleState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'open' }
  | { readonly phase: 'closed'; readonly why: string }

export const CONNECTING: ConsoleState = { phase: 'connecting' }
export const OPEN: ConsoleState = { phase: 'open' }
export const closed = (why: string): ConsoleState => ({ phase: 'closed', why })

/** Returns the one-time address of a console. The caller shows a failure itself. */
export async function consoleAddress(kind: ConsoleKind, routerId: number, signal: AbortSignal): Promise<string> {
  const input = { params: { id: routerId } }
  const options = { signal, notify: false }
  const ticket =
    kind === 'serial'
      ? await routers.call['POST /api/virtual_machines/{id}/serial'](input, options)
      : await routers.call['POST /api/virtual_machines/{id}/display'](input, options)
  return ticket.url
}

/** Codes of RFC 6455 section 7.4.1. */
export function closeText({ code, reason }: { readonly code: number; readonly reason: string }): string {
  if (code === 1000 || code === 1001) return 'Disconnected: the router was turned off or the portal restarted.'
  if (code === 1008) return 'Your access to this console ended.'
  return reason === '' ? 'The connection to the console was lost.' : `The console closed: ${reason}.`
}

export function consoleDenialText(error: unknown): string {
  if (!(error instanceof HttpFailure)) throw error
  return error.problem.detail ?? failureText(error.status).body
}
