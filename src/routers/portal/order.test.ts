import { describe, expect, test } from 'vitest'
import { HttpFailure } from '../../ui/runtime/http-failure.ts'
import type { FormValues } from '../../ui/components/Form.tsx'
import { explainOrder, keyLines, orderDemand, proposeName, readOrder, SAVED_KEYS } from './order.ts'

const refused = (status: number, errors: { field: string; message: string }[] = [], detail: string | null = null) =>
  new HttpFailure(status, { title: null, detail, code: null, errors })

describe('an order of a router', () => {
  test('reads one SSH key a line, as authorized_keys does', () => {
    expect(keyLines('# laptop\n ssh-ed25519 AAAA me \n\nssh-rsa BBBB\r\n')).toEqual([
      'ssh-ed25519 AAAA me',
      'ssh-rsa BBBB',
    ])
  })

  test('lets in the saved keys that are ticked, and those that are typed before them', () => {
    const order = (typed: string, ticked: string[], saved: boolean) =>
      readOrder(
        {
          text: (name: string) => (name === 'sshKeys' ? typed : name),
          all: (name: string) => (name === SAVED_KEYS ? ticked : []),
        } as FormValues,
        saved,
      ).sshKeys
    expect(order('ssh-rsa BBBB', ['ssh-ed25519 AAAA'], true)).toEqual(['ssh-rsa BBBB', 'ssh-ed25519 AAAA'])
    expect(order('', [], true), 'none of the saved ones: nobody').toEqual([])
    expect(order('', [], false), 'none saved: those that the account has then').toBeUndefined()
  })

  test('proposes a name that no router has', () => {
    expect(proposeName(['edge-1', 'edge-3', 'kestrel-ams1'])).toBe('edge-2')
  })

  test('shows what is wrong with the second key at the one field that holds them', () => {
    const trouble = explainOrder(refused(422, [{ field: 'sshKeys.1', message: 'is no public key' }]))
    expect(trouble).toEqual({ fields: { sshKeys: 'Key 2 is no public key.' }, message: null })
  })

  test('keeps the errors of other fields beside it', () => {
    const trouble = explainOrder(refused(422, [{ field: 'name', message: 'is taken' }]))
    expect(trouble?.fields).toEqual({ name: 'Is taken.' })
  })

  test('tells a missing payment method from every other refusal', () => {
    const missing = { title: null, detail: 'Add a payment card first.', code: 'payment_method_missing', errors: [] }
    expect(orderDemand(new HttpFailure(402, missing))).toBe('Add a payment card first.')
    expect(orderDemand(refused(402, [], 'Your payment method was declined. Try another.'))).toBeNull()
    expect(orderDemand(refused(409, [], 'No room.'))).toBeNull()
    expect(orderDemand(new Error('no answer'))).toBeNull()
  })
})
