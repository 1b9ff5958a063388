import { describe, expect, test } from 'vitest'
import type { StaffAuditEvent } from './api.ts'
import { KNOWN_ACTIONS, sayEvent, sentenceOf } from './sentences.ts'

const event = (change: Partial<StaffAuditEvent>): StaffAuditEvent => ({
  id: 1,
  at: '2026-11-20T10:00:00.000Z',
  actor: { kind: 'staff', id: 2, email: 'robin@example.net', name: 'Robin Teal' },
  action: 'prefix.approved',
  subject: { type: 'prefix', id: 5 },
  userId: 7,
  userName: 'Ada Falk',
  ip: null,
  requestId: null,
  data: {},
  ...change,
})

test.each<[string, Partial<StaffAuditEvent>]>([
  [
    'Robin Teal rejected prefix 45.30.12.0/24, for Ada Falk: No proof.',
    { action: 'prefix.rejected', data: { value: '45.30.12.0/24', reason: 'No proof.' } },
  ],
  [
    'Ada Falk sent reboot to router ams1',
    {
      actor: { kind: 'user', id: 7, email: 'ada@example.net', name: 'Ada Falk' },
      action: 'router.action_requested',
      subject: { type: 'router', id: 3 },
      data: { name: 'ams1', action: 'reboot' },
    },
  ],
  [
    'System moved dunning from “In good standing” to “Reminded”, for Ada Falk',
    {
      actor: { kind: 'system', id: null, email: null, name: null },
      action: 'dunning.stage_changed',
      subject: { type: 'billing', id: 7 },
      data: { before: 'CURRENT', after: 'REMINDED' },
    },
  ],
  [
    'Ada Falk changed the ASN (AS500030), AS-SET (none), router of connection 37',
    {
      actor: { kind: 'user', id: 7, email: 'ada@example.net', name: 'Ada Falk' },
      action: 'connection.changed',
      subject: { type: 'connection', id: 37 },
      data: { routerId: 4, asSet: null, asn: 500_030 },
    },
  ],
  [
    'System marked invoice INV-2026-000001 as overdue, for Ada Falk',
    {
      actor: { kind: 'system', id: null, email: null, name: null },
      action: 'invoice.overdue',
      subject: { type: 'invoice', id: 9 },
      data: { number: 'INV-2026-000001' },
    },
  ],
  [
    'Robin Teal viewed the portal as Ada Falk: Ticket 4711',
    { action: 'impersonation.started', subject: { type: 'user', id: 7 }, data: { reason: 'Ticket 4711' } },
  ],
  [
    'Robin Teal drained hypervisor 1: New disks',
    {
      action: 'hypervisor.drained',
      subject: { type: 'hypervisor', id: 1 },
      userId: null,
      userName: null,
      data: { reason: 'New disks' },
    },
  ],
  [
    'Ada Falk closed their own account',
    {
      actor: { kind: 'user', id: 7, email: 'ada@example.net', name: 'Ada Falk' },
      action: 'account.closed',
      subject: { type: 'user', id: 7 },
    },
  ],
  ['Robin Teal recorded quasar.sighted on prefix 5, for Ada Falk', { action: 'quasar.sighted' }],
])('%s', (sentence, change) => {
  expect(sentenceOf(event(change))).toBe(sentence)
})

describe('each action that the audit log takes has a sentence of its own', () => {
  test.each(KNOWN_ACTIONS)('%s', (action) => {
    const { does, rest } = sayEvent(event({ action }))
    expect(`${does}${rest}`).not.toContain('recorded')
    expect(`${does}${rest}`).not.toMatch(/undefined|\[object|\{it\}/)
    // Begins with a verb, because it follows the actor.
    expect(does).toMatch(/^[a-z]/)
  })
})
