import { expect, test } from 'vitest'
import { COMMUNITY_DIALECTS, communityExample, edgeCommunities } from './communities.ts'

const UPSTREAMS = [
  { asn: 64_501, name: 'Example Transit' },
  { asn: 64_502, name: 'Another Carrier' },
]

test('names each upstream with its own communities, and all of them by 0', () => {
  const meanings = Object.fromEntries(edgeCommunities(64_500, UPSTREAMS).map((one) => [one.value, one.meaning]))
  expect(meanings['64500:1010:64501']).toBe('Do not announce to AS64501 Example Transit.')
  expect(meanings['64500:1012:64502']).toBe('Prepend our AS number twice to AS64502 Another Carrier.')
  expect(meanings['64500:1010:0']).toBe('Announce to no upstream.')
  expect(Object.keys(meanings)).toHaveLength(4 + 3 + 9)
})

test('says how one is asked for where the operator named none', () => {
  const values = edgeCommunities(64_500, []).map(({ value }) => value)
  expect(values.filter((value) => /:10(10|11|12|13):/.test(value))).toHaveLength(4)
})

test('gives an example of each in every dialect', () => {
  const examples = (value: string) => COMMUNITY_DIALECTS.map((one) => communityExample(one, value, '203.0.113.1'))
  expect(examples('64500:1011:64501')).toEqual([
    'bgp_large_community.add((64500, 1011, 64501));',
    'set large-community 64500:1011:64501 additive',
    'match to 203.0.113.1 set large-community 64500:1011:64501',
    'append bgp-large-communities 64500:1011:64501;',
    'set policy route-map transit4-out rule 20 set large-community add 64500:1011:64501',
  ])
  expect(examples('65535:0')).toEqual([
    'bgp_community.add((65535, 0));',
    'set community 65535:0 additive',
    'match to 203.0.113.1 set community 65535:0',
    'append bgp-communities 65535:0;',
    'set policy route-map transit4-out rule 20 set community add 65535:0',
  ])
})
