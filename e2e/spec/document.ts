/** The published OpenAPI document, and a check that the server's real responses match it. */
import { faults, type JsonSchema, type Schemas } from './json-schema.ts'

export interface Documented {
  readonly operationId: string
  readonly summary: string
  readonly 'x-access': string
  readonly 'x-non-json'?: true
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: JsonSchema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: JsonSchema }>> }
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> }
    >
  >
}

export interface OpenApi {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>
  readonly components: { readonly schemas: Schemas }
}

const documents = new Map<string, Promise<OpenApi>>()

export function documentOf(url: string): Promise<OpenApi> {
  const known =
    documents.get(url) ?? fetch(`${url}/api/openapi.json`).then((answer) => answer.json() as Promise<OpenApi>)
  documents.set(url, known)
  return known
}

/** Literal paths come before those with a parameter, as the server matches them. */
export function findOperation({ paths }: OpenApi, method: string, target: string): Documented | null {
  const pathname = target.split('?', 1)[0]!.replace(/(.)\/$/, '$1')
  const candidates = Object.keys(paths)
    .filter((path) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
  for (const path of candidates) {
    const found = paths[path]![method.toLowerCase()]
    if (found) return found
  }
  return null
}

/** Empty when the response is as documented, or the endpoint is not in the document. */
export function disagreements(
  document: OpenApi,
  call: { readonly method: string; readonly target: string },
  answer: { readonly status: number; readonly type: string; readonly body: unknown },
): string[] {
  const operation = findOperation(document, call.method, call.target)
  if (!operation) return []
  const documented = operation.responses[answer.status]
  if (!documented) return [`status ${answer.status} is not in the document`]
  const media = mediaOf(answer.type)
  const content = Object.entries(documented.content ?? {}).find(([type]) => mediaOf(type) === media)?.[1]
  if (answer.body === null) return []
  if (!content) return [`${media} is not in the document for ${answer.status}`]
  // A file to save: the document says only its media type.
  if (content.schema?.format === 'binary') return []
  return content.schema ? faults(content.schema, answer.body, document.components.schemas) : []
}

const mediaOf = (type: string): string => type.split(';', 1)[0]!
