/**
 * Requests of an attacker who wants one request to overload the server. Each family of operations comes in several
 * sizes and from several fields, so that a limit on one path is tested on all others.
 */

export interface HostileOperation {
  readonly name: string
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

/** Each root field with a typical query, down to a leaf of one of its objects. */
const ROOTS = {
  users: (inner: string) => `users { nodes { ${inner} } }`,
  user: (inner: string) => `user(databaseId: 1) { ${inner} }`,
  transitPrefixes: (inner: string) => `transitPrefixes { nodes { ipTransit { user { ${inner} } } } }`,
  transitPrefix: (inner: string) => `transitPrefix(databaseId: 1) { ipTransit { user { ${inner} } } }`,
  hypervisors: (inner: string) => `hypervisors { routers { nodes { user { ${inner} } } } }`,
  hypervisor: (inner: string) => `hypervisor(databaseId: 1) { routers { nodes { user { ${inner} } } } }`,
} as const
/** Paths from a user back to a user, or to any depth below one. */
const CIRCLES = {
  'connections and their users': (inner: string) => `ipTransit { user { ${inner} } }`,
  'prefixes and their users': (inner: string) => `ipTransit { prefixes { ipTransit { user { ${inner} } } } }`,
  'routers and their users': (inner: string) => `routers { nodes { user { ${inner} } } }`,
  'routers that carry transit': (inner: string) => `ipTransit { transitableRouter { user { ${inner} } } }`,
} as const

const entries = <T>(record: Readonly<Record<string, T>>) => Object.entries(record)
const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ')
const nest = (levels: number, wrap: (inner: string) => string, leaf: string): string =>
  Array.from({ length: levels }).reduce<string>((inner) => wrap(inner), leaf)

function* circles(): Generator<HostileOperation> {
  for (const [root, open] of entries(ROOTS))
    for (const [way, wrap] of entries(CIRCLES))
      for (const levels of [6, 40])
        yield { name: `${root}, then ${levels} times round ${way}`, query: `{ ${open(nest(levels, wrap, 'id'))} }` }
}

function* aliases(): Generator<HostileOperation> {
  for (const [root, open] of entries(ROOTS))
    for (const count of [40, 1_000])
      yield { name: `${root} under ${count} aliases`, query: `{ ${times(count, (n) => `a${n}: ${open('id')}`)} }` }
  for (const field of ['__typename', 'revenue { projected { amount } }', '__schema { types { name } }'])
    yield { name: `a hundred aliases of ${field}`, query: `{ ${times(100, (n) => `a${n}: ${field}`)} }` }
  yield {
    name: 'aliases on each level',
    query: `{ users { ${times(5, (n) => `n${n}: nodes { ${times(5, (m) => `t${m}: ipTransit { ${times(5, (k) => `p${k}: prefixes { id }`)} }`)} }`)} } }`,
  }
}

/** Fragments that lead back to the first after this many steps. */
const ring = (length: number): string =>
  times(length, (n) => `fragment f${n} on User { ipTransit { user { ...f${(n + 1) % length} } } }`)
/** Each fragment spreads the next one twice, so visiting every path takes 2^height visits. */
const bush = (height: number, leaf: string): string =>
  `${times(height, (n) => `fragment f${n} on User { ...f${n + 1} ...f${n + 1} }`)} fragment f${height} on User { ${leaf} }`

function* fragments(): Generator<HostileOperation> {
  for (const length of [1, 2, 3, 50]) {
    for (const [root, open] of entries(ROOTS))
      yield { name: `${root} with a ring of ${length} fragments`, query: `{ ${open('...f0')} } ${ring(length)}` }
    yield { name: `an unused ring of ${length} fragments`, query: `{ users { totalCount } } ${ring(length)}` }
  }
  for (const height of [20, 30, 100])
    for (const leaf of ['id', 'ipTransit { prefixes { id } }', '...missing'])
      yield {
        name: `a bush of ${height} fragments around ${leaf}`,
        query: `{ users { nodes { ...f0 } } } ${bush(height, leaf)}`,
      }
  for (const levels of [30, 500])
    yield {
      name: `${levels} inline fragments inside each other`,
      query: `{ users { nodes { ${nest(levels, (inner) => `... on User { ${inner} }`, CIRCLES['prefixes and their users'](nest(6, CIRCLES['prefixes and their users'], 'id')))} } } }`,
    }
  yield {
    name: 'a thousand unused fragments',
    query: `{ users { totalCount } } ${times(1_000, (n) => `fragment g${n} on User { id }`)}`,
  }
}

function* lists(): Generator<HostileOperation> {
  for (const root of ['users', 'transitPrefixes'])
    for (const first of ['0', '-1', '201', '1000000000', '99999999999999', '1.5', '"50"', 'true', '[50]', '{n: 50}'])
      yield { name: `${root} in a page of ${first}`, query: `{ ${root}(first: ${first}) { nodes { id } } }` }
  for (const first of [201, -5, 1e9, '50', 1.5, [1], {}])
    yield {
      name: `a page of ${JSON.stringify(first)} in a variable`,
      query: 'query ($n: Int) { users(first: $n) { nodes { id } } }',
      variables: { n: first },
    }
  for (const root of ['hypervisors', 'hypervisor(databaseId: 1)'])
    for (const levels of [1, 2, 4])
      yield {
        name: `${root} with the largest pages inside each other ${levels} times`,
        query: `{ ${root} { ${nest(levels, (inner) => `routers(first: 200) { nodes { hypervisor { ${inner} } } }`, 'routers(first: 200) { nodes { user { ipTransit { prefixes { id } } } } }')} } }`,
      }
  for (const leaf of ['prefixes { id }', 'prefixes { ipTransit { prefixes { id } } }'])
    yield {
      name: `the largest page of users, each with all of ${leaf}, and routers of those`,
      query: `{ users(first: 200) { nodes { ipTransit { user { routers(first: 200) { nodes { user { ipTransit { ${leaf} } } } } } } } } }`,
    }
}

function* literals(): Generator<HostileOperation> {
  for (const depth of [50, 3_000]) {
    yield {
      name: `${depth} brackets of a list`,
      query: `{ users(first: ${'['.repeat(depth)}${']'.repeat(depth)}) { totalCount } }`,
    }
    yield {
      name: `${depth} brackets of a list that stay open`,
      query: `{ users(first: ${'['.repeat(depth)}) { totalCount } }`,
    }
    yield {
      name: `${depth} objects inside each other`,
      query: `{ users(search: ${nest(depth, (inner) => `{a: ${inner}}`, '1')}) { totalCount } }`,
    }
    yield { name: `${depth} selections that stay open`, query: '{ users '.repeat(depth) }
    yield {
      name: `a type of ${depth} lists`,
      query: `query ($v: ${'['.repeat(depth)}Int${']'.repeat(depth)}) { users(first: $v) { totalCount } }`,
    }
  }
  for (const number of ['1e999', '0x10', '01', '1'.repeat(5_000), `0.${'1'.repeat(5_000)}`])
    yield { name: `the number ${number.slice(0, 12)} for an id`, query: `{ user(databaseId: ${number}) { id } }` }
  for (const search of ['"\\u{110000}"', '"\\uD800"', '"never closed', '"""never closed', '"line\nbreak"', "'single'"])
    yield { name: `the string ${JSON.stringify(search)}`, query: `{ users(search: ${search}) { totalCount } }` }
  yield { name: 'a status of the customer’s own', query: '{ transitPrefixes(status: GRANTED) { totalCount } }' }
  yield { name: 'a date that is none', query: '{ users(since: "yesterday; drop table users") { totalCount } }' }
  yield { name: 'a thousand arguments', query: `{ users(${times(1_000, (n) => `a${n}: 1`)}) { totalCount } }` }
  yield {
    name: 'a thousand variables',
    query: `query (${times(1_000, (n) => `$v${n}: Int`)}) { users { totalCount } }`,
  }
}

function* directives(): Generator<HostileOperation> {
  for (const count of [4, 10_000])
    for (const directive of ['@include(if: true)', '@skip(if: false)', '@missing'])
      yield { name: `${count} times ${directive}`, query: `{ users ${`${directive} `.repeat(count)} { totalCount } }` }
  for (const directive of ['@defer', '@stream', '@deprecated', '@oneOf', '@specifiedBy(url: "https://a.example")'])
    yield { name: `${directive} on a field`, query: `{ users ${directive} { totalCount } }` }
}

function* documents(): Generator<HostileOperation> {
  yield { name: 'nothing', query: '' }
  yield { name: 'a comment', query: '# nothing' }
  yield { name: 'a null byte', query: '{ users { totalCount } } \0' }
  yield { name: 'a type definition', query: 'type User { id: ID }' }
  yield { name: 'a schema extension', query: 'extend schema { mutation: Query } { users { totalCount } }' }
  for (const kind of ['mutation', 'subscription'])
    for (const field of ['approve', 'users { totalCount }'])
      yield { name: `a ${kind} of ${field}`, query: `${kind} { ${field} }` }
  for (const count of [2, 500])
    yield { name: `${count} operations`, query: times(count, (n) => `query Q${n} { users { totalCount } }`) }
  yield {
    name: 'an operation without a name beside one with',
    query: '{ users { totalCount } } query A { users { totalCount } }',
  }
  for (const count of [2_000, 20_000])
    yield { name: `${count} fields of one name`, query: `{ users { ${'totalCount '.repeat(count)} } }` }
  for (const count of [200, 900])
    yield { name: `${count} fields that do not exist`, query: `{ users { ${times(count, (n) => `secret${n}`)} } }` }
  for (const field of ['passwordHash', 'sessions { token }', 'auditTrail', '_entities', '__proto__', 'constructor'])
    yield { name: `a field named ${field}`, query: `{ users { nodes { ${field} } } }` }
  yield { name: 'fields that contradict each other', query: '{ users { nodes { a: id a: email } } }' }
  yield { name: 'an object without fields', query: '{ users { nodes } }' }
  yield { name: 'fields of a number', query: '{ users { totalCount { digits } } }' }
}

function* introspection(): Generator<HostileOperation> {
  for (const levels of [3, 10, 100])
    for (const way of ['fields { type {', 'possibleTypes { interfaces {', 'inputFields { type {'])
      yield {
        name: `introspection, ${levels} times round ${way}`,
        query: `{ __schema { types { ${nest(levels, (inner) => `${way} ${inner} } }`, 'name')} } } }`,
      }
  yield {
    name: 'the whole introspection forty times',
    query: `{ ${times(40, (n) => `s${n}: __schema { types { name fields { name args { name } } } }`)} }`,
  }
}

export const HOSTILE_OPERATIONS: readonly HostileOperation[] = [
  ...circles(),
  ...aliases(),
  ...fragments(),
  ...lists(),
  ...literals(),
  ...directives(),
  ...documents(),
  ...introspection(),
]
