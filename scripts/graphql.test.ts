import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findDocumentFaults, generateGraphql, readDocuments } from './graphql.ts'

const faultsOf = (...texts: string[]) =>
  findDocumentFaults(texts.map((text, index) => ({ file: `${index}.ts`, text: `graphql(\`${text}\`)` })))

test.for(generateGraphql())('$path is what the schema says; if not, run npm run codegen', async ({ path, content }) => {
  expect(await readFile(path, 'utf8')).toBe(content)
})

test('every document of the portal is valid and has a name of its own', async () => {
  const sources = await readDocuments()
  expect(sources.filter(({ text }) => text.includes('graphql(`'))).not.toEqual([])
  expect(findDocumentFaults(sources)).toEqual([])
})

test('an unknown field is a fault', () => {
  expect(faultsOf('query Users { users { nodes { shoeSize } } }')).toEqual([
    expect.stringContaining('Cannot query field "shoeSize"'),
  ])
})

test('an unknown field inside a fragment of another file is a fault', () => {
  const faults = faultsOf(
    'query Users { users { nodes { ...person } } }',
    'fragment person on User { ...name }',
    'fragment name on User { nickname }',
  )
  expect(faults).toContainEqual(expect.stringContaining('Cannot query field "nickname"'))
})

test('a variable of the wrong type is a fault', () => {
  expect(faultsOf('query One($id: String!) { user(databaseId: $id) { id } }')).not.toEqual([])
})

test('operations without a name, or with the same one, are faults', () => {
  expect(faultsOf('{ users { totalCount } }')).toEqual([expect.stringContaining('no name')])
  expect(faultsOf('query A { users { totalCount } }', 'query A { users { totalCount } }')).toEqual([
    expect.stringContaining('operation A too'),
  ])
})

test('a document that hides from the check is a fault', () => {
  const faults = findDocumentFaults([{ file: 'a.ts', text: 'graphql(text)' }])
  expect(faults).toEqual([expect.stringContaining('write documents as')])
})

test('valid documents have no fault', () => {
  expect(faultsOf('query A { users { nodes { ...p } } }', 'fragment p on User { id email }')).toEqual([])
})
