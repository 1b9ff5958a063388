import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { parseVatId, type VatRegistry } from './index.ts'
import { createLocalVatRegistry } from './local/index.ts'
import { createVies } from './vies/index.ts'
import { startFakeVies } from './vies/fake-vies.ts'

const HOLDERS = new Map([['NL123456789B01', 'Kestrel Networks B.V.']])
const fakeVies = await startFakeVies(HOLDERS)
afterAll(() => fakeVies.close())
afterEach(() => fakeVies.answerWith(null))

const vies = createVies({ base: fakeVies.base, requester: { country: 'DE', number: '111111111' }, timeoutMs: 300 })
const local = createLocalVatRegistry(HOLDERS)

const REGISTRIES: readonly (readonly [string, VatRegistry, (unreachable: boolean) => void])[] = [
  ['vies', vies, (unreachable) => fakeVies.answerWith(unreachable ? { error: 'MS_UNAVAILABLE' } : null)],
  ['local', local, (unreachable) => local.setUnreachable(unreachable)],
]

describe.each(REGISTRIES)('%s', (kind, registry, setUnreachable) => {
  test('says what it is', () => expect(registry.kind).toBe(kind))

  test('knows a registered id, its holder, and gives the consultation a number', async () => {
    const answer = await registry.check({ country: 'NL', number: '123456789B01' })
    expect(answer).toEqual({ valid: true, holder: 'Kestrel Networks B.V.', consultation: expect.stringMatching(/\d$/) })
  })

  test('calls an unknown id invalid, and not an error', async () => {
    expect(await registry.check({ country: 'NL', number: '999999999B99' })).toMatchObject({
      valid: false,
      holder: null,
    })
  })

  test('never answers "invalid" while the member state is away', async () => {
    setUnreachable(true)
    await expect(registry.check({ country: 'NL', number: '123456789B01' })).rejects.toMatchObject({
      name: 'TaxError',
      kind: 'unreachable',
    })
    setUnreachable(false)
    expect(await registry.check({ country: 'NL', number: '123456789B01' })).toMatchObject({ valid: true })
  })
})

describe('answers of VIES', () => {
  const check = () => vies.check({ country: 'NL', number: '123456789B01' })

  test('are asked for in the name of the operator', async () => {
    await check()
    expect(fakeVies.asked.at(-1)).toEqual({
      countryCode: 'NL',
      vatNumber: '123456789B01',
      requesterMemberStateCode: 'DE',
      requesterNumber: '111111111',
    })
  })

  test('answers that take too long count as away', async () => {
    fakeVies.answerWith('silence')
    await expect(check()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test.each([
    ['no JSON', 'Service Unavailable'],
    ['no verdict', '{"valid":"yes"}'],
    ['far too long', `{"valid":true,"name":"${'x'.repeat(70_000)}"}`],
  ])('answers that are %s are refused', async (_, text) => {
    fakeVies.answerWith({ text })
    await expect(check()).rejects.toMatchObject({ kind: 'protocol' })
  })

  test('answers that refuse the input mean that the id is not valid', async () => {
    fakeVies.answerWith({ error: 'INVALID_INPUT' })
    expect(await check()).toEqual({ valid: false, holder: null, consultation: null })
  })
})

describe('a VAT id', () => {
  test.each([
    ['nl 123456789 b01', { country: 'NL', number: '123456789B01' }],
    ['ATU12345678', { country: 'AT', number: 'U12345678' }],
    ['GR123456789', { country: 'EL', number: '123456789' }],
    ['FRAB123456789', { country: 'FR', number: 'AB123456789' }],
    ['US123456789', null],
    ['NL123456789', null],
    ['DE12345678', null],
    ['', null],
  ])('written as "%s" is %j', (text, id) => expect(parseVatId(text)).toEqual(id))
})
