/**
 * The topics of change events. Publishers, reconcilers and browser caches share this list, so that no screen waits for
 * a topic that nothing publishes.
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

/** Each entry of a customer's audit log is published under one of these topics. */
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
