/** The parts of the published document that the reference shows, and its endpoints in display order. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags?: readonly string[]
  readonly 'x-access'?: 'public' | 'session' | 'verified' | 'admin'
  readonly 'x-scope'?: string
  readonly 'x-required-role'?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface ApiEndpoint extends Operation {
  readonly method: string
  readonly path: string
}

export interface EndpointGroup {
  readonly id: string
  readonly title: string
  readonly endpoints: readonly ApiEndpoint[]
}

const TITLES: readonly (readonly [id: string, title: string])[] = [
  ['routers', 'Routers'],
  ['transit', 'IP Transit'],
  ['billing', 'Billing'],
  ['webhooks', 'Webhooks'],
  ['account', 'Account'],
  ['events', 'Events'],
  ['staff', 'Staff'],
]
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Customers' areas first, staff last. Within one by path, and reads before changes. */
export function groupEndpoints({ paths }: OpenApi): readonly EndpointGroup[] {
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]).map((method): ApiEndpoint => ({
      ...methods[method]!,
      method: method.toUpperCase(),
      path,
    })),
  )
  const byGroup = Map.groupBy(endpoints, (endpoint) => endpoint.tags?.[0] ?? 'events')
  const rank = (id: string): number => {
    const at = TITLES.findIndex(([known]) => known === id)
    return at === -1 ? TITLES.length : at
  }
  return [...byGroup]
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([id, own]) => ({ id, title: TITLES.find(([known]) => known === id)?.[1] ?? id, endpoints: own }))
}

/** Returns endpoints that have every typed word in their path, method, texts or scope. */
export function searchEndpoints(groups: readonly EndpointGroup[], typed: string): readonly EndpointGroup[] {
  const label = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (endpoint: ApiEndpoint): boolean => {
    const text = `${endpoint.method} ${endpoint.path} ${endpoint.summary} ${endpoint['x-scope'] ?? ''}`.toLowerCase()
    return label.every((word) => text.includes(word))
  }
  return groups
    .map((group) => ({ ...group, endpoints: group.endpoints.filter(fits) }))
    .filter(({ endpoints }) => endpoints.length > 0)
}

/** Returns the status and schema of the successful response. */
export function successOf(endpoint: Operation): { status: string; media: string | null; schema: Schema | null } {
  const [status = '200', response] = Object.entries(endpoint.responses).find(([code]) => code.startsWith('2')) ?? []
  const [media, content] = Object.entries(response?.content ?? {})[0] ?? [null, null]
  return { status, media, schema: content?.schema ?? null }
}
