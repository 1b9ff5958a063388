import { describe, expect, test } from 'vitest'
import { HttpFailure } from '../../portal/http-failure.ts'
import { explainOrder, keyLines, paymentDemand } from './order.ts'

const refused = (status: number, errors: { field: string; message: string }[] = [], detail: string | null = null) =>
  new HttpFailure(status, { title: null, detail, code: null, errors })

describe('an order of a router', () => {
  test('reads one SSH key a line, as authorized_keys does', () => {
    expect(keyLines('# laptop\n ssh-ed25519 AAAA me \n\nssh-rsa BBBB\r\n')).toEqual([
      'ssh-ed25519 AAAA me',
      'ssh-rsa BBBB',
    ])
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
    expect(paymentDemand(refused(402, [], 'Add a payment method first.'))).toBe('Add a payment method first.')
    expect(paymentDemand(refused(409, [], 'No room.'))).toBeNull()
    expect(paymentDemand(new Error('no answer'))).toBeNull()
  })
})
