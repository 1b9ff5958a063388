/** The cache limits that the portal promises (spec, section 9), as the library itself reports them. */
import { gql } from '@apollo/client'
import { beforeAll, expect, test, vi } from 'vitest'

let apollo: (typeof import('./client.ts'))['apollo']

beforeAll(async () => {
  vi.stubGlobal('window', Object.assign(new EventTarget(), { navigator }))
  vi.stubGlobal('document', Object.assign(new EventTarget(), { cookie: '', visibilityState: 'visible' }))
  ;({ apollo } = await import('./client.ts'))
})

test('two thousand transformed documents are kept, and one more lets go of the oldest', () => {
  for (let n = 0; n <= 2_000; n++) apollo.documentTransform.transformDocument(gql(`query Q${n} { field${n} }`))
  const { limits, sizes } = apollo.getMemoryInternals!()
  expect(limits['documentTransform.cache']).toBe(2_000)
  expect(sizes.addTypenameDocumentTransform).toEqual([{ cache: 2_000 }])
})

test('what is read and shown by no one is let go after thirty seconds', () => {
  expect(apollo.defaultOptions.react).toEqual({ suspense: { autoDisposeTimeoutMs: 30_000 } })
})

test('a query is answered from the cache first', () => {
  expect(apollo.defaultOptions.watchQuery).toMatchObject({ fetchPolicy: 'cache-first' })
})
