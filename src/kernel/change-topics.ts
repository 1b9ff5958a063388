/**
 * The nouns that news are about. One list for who publishes, who wakes and which answers go stale, so that no screen
 * waits for news under a name that nobody says.
 */
export type Topic =
  | 'agent'
  | 'audit_verification'
  | 'connection'
  | 'edge'
  | 'edge_answer'
  | 'edge_question'
  | 'hypervisor'
  | 'image'
  | 'invoice'
  | 'mail'
  | 'maintenance'
  | 'notice'
  | 'outgoing_event'
  | 'password_reset'
  | 'payment'
  | 'payment_method'
  | 'plan'
  | 'pool'
  | 'prefix'
  | 'prefix_check'
  | 'prefix_import'
  | 'price'
  | 'router'
  | 'rpki'
  | 'session'
  | 'site'
  | 'tax'
  | 'user'
  | 'webhook'
  | 'webhook_delivery'

/** Each entry of a customer's audit log is published under one of these. */
export const AUDIT_TOPICS: readonly Topic[] = [
  'user',
  'router',
  'prefix',
  'connection',
  'maintenance',
  'payment_method',
  'payment',
  'invoice',
  'webhook',
]
