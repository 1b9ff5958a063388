/**
 * Writes the staff's schema as committed text, and checks every document of the browser against it. TypeScript alone
 * would let an invalid field pass as `unknown`.
 */
import { minifyIntrospection, outputIntrospectionFile } from 'gql.tada/internal'
import {
  introspectionFromSchema,
  Kind,
  parse,
  validate,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  visit,
} from 'graphql'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { printStaffSchema, staffSchema } from '../src/admin/graphql/schema.ts'

const ROOT = path.join(import.meta.dirname, '..')
/** A template of `graphql(…)`; all documents of the browser are written this way. */
const TEMPLATE = /\bgraphql\(\s*`([^`]*)`/g
const CALL = /\bgraphql\(/g

export interface GeneratedFile {
  readonly path: string
  readonly content: string
}

/** The schema for people, and the same for the type checker. */
export const generateGraphql = (): GeneratedFile[] => [
  { path: path.join(ROOT, 'src/admin/graphql/schema.graphql'), content: printStaffSchema() },
  {
    path: path.join(ROOT, 'src/ui/graphql/graphql-env.d.ts'),
    content: outputIntrospectionFile(minifyIntrospection(introspectionFromSchema(staffSchema)), {
      fileType: '.d.ts',
      shouldPreprocess: true,
    }),
  },
]

export interface Source {
  readonly file: string
  readonly text: string
}

/** Whatever may hold a document. */
export async function readDocuments(): Promise<Source[]> {
  const sources: Source[] = []
  for await (const file of glob('src/{ui,routes,*/portal}/**/*.{ts,tsx}', { cwd: ROOT })) {
    if (!file.endsWith('.d.ts')) sources.push({ file, text: await readFile(path.join(ROOT, file), 'utf8') })
  }
  return sources
}

/** In words what is wrong with the documents in these sources; empty when nothing is. */
export function findDocumentFaults(sources: readonly Source[], schema: GraphQLSchema = staffSchema): string[] {
  const faults: string[] = []
  const documents: { file: string; document: DocumentNode }[] = []
  for (const { file, text } of sources) {
    const templates = [...text.matchAll(TEMPLATE)].map((match) => match[1] ?? '')
    if (templates.length !== [...text.matchAll(CALL)].length)
      faults.push(`${file}: write documents as graphql(\`…\`), so that they can be checked.`)
    for (const template of templates) {
      try {
        documents.push({ file, document: parse(template) })
      } catch (error) {
        faults.push(`${file}: ${(error as Error).message}`)
      }
    }
  }
  const fragments = collectFragments(documents, faults)
  const operations = new Map<string, string>()
  for (const { file, document } of documents) {
    const whole = withFragments(document, fragments)
    for (const error of validate(schema, whole)) {
      // A fragment alone is checked in the documents that name it.
      if (!/^Fragment ".+" is never used\.$/.test(error.message)) faults.push(`${file}: ${error.message}`)
    }
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue
      const name = definition.name?.value
      if (!name) faults.push(`${file}: an operation has no name; error reports are tagged with it.`)
      else if (operations.has(name)) faults.push(`${file}: ${operations.get(name)} has an operation ${name} too.`)
      else operations.set(name, file)
    }
  }
  return faults
}

function collectFragments(documents: readonly { file: string; document: DocumentNode }[], faults: string[]) {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const { file, document } of documents) {
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue
      if (fragments.has(definition.name.value)) faults.push(`${file}: fragment ${definition.name.value} exists twice.`)
      fragments.set(definition.name.value, definition)
    }
  }
  return fragments
}

/** Returns the document with all fragments that it spreads, at any depth. */
function withFragments(document: DocumentNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): DocumentNode {
  const definitions = new Set(document.definitions)
  // Iterating a set includes additions: the fragments of a fragment are visited as well.
  for (const definition of definitions) {
    visit(definition, {
      FragmentSpread(spread) {
        const fragment = fragments.get(spread.name.value)
        if (fragment) definitions.add(fragment)
      },
    })
  }
  return { ...document, definitions: [...definitions] }
}
