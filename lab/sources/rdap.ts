/** An RDAP server (RFC 9082, RFC 9083) over a file of autnums and entities, with its own bootstrap (RFC 9224). */
import { createServer } from 'node:http'
import { z } from 'zod'
import { parseAsn } from '../../src/kernel/asn.ts'
import { containsPrefix, formatPrefix, parsePrefix, tryParsePrefix } from '../../src/kernel/prefix.ts'
import { listen, type RunningSource, type SourceOptions } from './listen.ts'
import { watchContent } from './watch.ts'

const registryFile = z.object({
  autnums: z.array(z.looseObject({ startAutnum: z.int(), endAutnum: z.int() })),
  entities: z.array(z.looseObject({ handle: z.string() })),
  networks: z.array(
    z.looseObject({ cidr0_cidrs: z.tuple([z.looseObject({ length: z.int() })]), startAddress: z.string() }),
  ),
  domains: z.array(z.looseObject({ ldhName: z.string() })),
})
type RegistryFile = z.output<typeof registryFile>

export function startRdap(options: SourceOptions): Promise<RunningSource> {
  const content = watchContent(options.file, (text) => registryFile.parse(JSON.parse(text)))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://rdap.invalid')
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end()
    const list = bootstraps(content.get()).get(pathname)
    if (list)
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(bootstrap(list, `http://${request.headers.host ?? ''}/`)))
    const [status, body] = answer(content.get(), pathname)
    response
      .writeHead(status, { 'content-type': 'application/rdap+json' })
      .end(JSON.stringify({ rdapConformance: ['rdap_level_0'], ...body }))
  })
  return listen(server, options, content.stop)
}

function answer(file: RegistryFile, pathname: string): [number, object] {
  const { autnums, entities, domains } = file
  const [, noun, name = ''] = /^\/(autnum|entity|domain)\/([^/]{1,100})$/.exec(pathname) ?? []
  const [, block] = /^\/ip\/([0-9a-f.:]{2,45}(?:\/\d{1,3})?)$/i.exec(pathname) ?? []
  if (block !== undefined) return network(file, block)
  if (!noun) return problem(400, 'Ask for /autnum/NUMBER, /ip/PREFIX, /domain/NAME or /entity/HANDLE.')
  if (noun === 'domain') {
    const domain = domains.find(({ ldhName }) => ldhName === decodeURIComponent(name).toLowerCase())
    return domain ? [200, domain] : problem(404, 'This domain is not registered.')
  }
  if (noun === 'entity') {
    const entity = entities.find((candidate) => candidate.handle === decodeURIComponent(name))
    return entity ? [200, entity] : problem(404, 'There is no such entity.')
  }
  const asn = parseAsn(name)
  if (asn === null) return problem(400, 'An autonomous system is a number.')
  const autnum = autnums.find((candidate) => candidate.startAutnum <= asn && asn <= candidate.endAutnum)
  return autnum ? [200, autnum] : problem(404, 'This number is not registered here.')
}

/** Returns the smallest block that contains all of it. */
function network({ networks }: RegistryFile, text: string): [number, object] {
  const prefix = tryParsePrefix(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`)
  if (!prefix) return problem(400, 'This is no address and no prefix.')
  const [found] = networks
    .map((one) => ({ one, block: blockOf(one) }))
    .filter(({ block }) => containsPrefix(block, prefix))
    .toSorted((a, b) => b.block.length - a.block.length)
  return found ? [200, found.one] : problem(404, 'These addresses are not registered here.')
}

const blockOf = ({ startAddress, cidr0_cidrs: [{ length }] }: RegistryFile['networks'][number]) =>
  parsePrefix(`${startAddress}/${length}`)

const problem = (errorCode: number, title: string): [number, object] => [errorCode, { errorCode, title }]

/** Returns each bootstrap list with what this server is responsible for. */
function bootstraps({ autnums, networks, domains }: RegistryFile): Map<string, string[]> {
  const blocks = (family: 4 | 6) =>
    networks
      .map(blockOf)
      .filter((block) => block.family === family)
      .map(formatPrefix)
  return new Map([
    ['/asn.json', autnums.map(({ startAutnum, endAutnum }) => `${startAutnum}-${endAutnum}`)],
    ['/ipv4.json', blocks(4)],
    ['/ipv6.json', blocks(6)],
    ['/dns.json', [...new Set(domains.map(({ ldhName }) => ldhName.split('.').at(-1)!))]],
  ])
}

const bootstrap = (subjects: readonly string[], base: string) => ({
  version: '1.0',
  publication: '2026-11-20T00:00:00Z',
  services: [[subjects, [base]]],
})
