/** An RDAP server (RFC 9082, RFC 9083) over a file of autnums and entities, with its own bootstrap (RFC 9224). */
import { createServer } from 'node:http'
import { z } from 'zod'
import { parseAsn } from '../../src/kernel/asn.ts'
import { listen, type RunningSource, type SourceOptions } from './listen.ts'
import { watchContent } from './watch.ts'

const registryFile = z.object({
  autnums: z.array(z.looseObject({ startAutnum: z.int(), endAutnum: z.int() })),
  entities: z.array(z.looseObject({ handle: z.string() })),
})
type RegistryFile = z.output<typeof registryFile>

export function startRdap(options: SourceOptions): Promise<RunningSource> {
  const content = watchContent(options.file, (text) => registryFile.parse(JSON.parse(text)))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://rdap.invalid')
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end()
    if (pathname === '/asn.json')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(bootstrap(content.get(), `http://${request.headers.host ?? ''}/`)))
    const [status, body] = answer(content.get(), pathname)
    response
      .writeHead(status, { 'content-type': 'application/rdap+json' })
      .end(JSON.stringify({ rdapConformance: ['rdap_level_0'], ...body }))
  })
  return listen(server, options, content.stop)
}

function answer({ autnums, entities }: RegistryFile, pathname: string): [number, object] {
  const [, noun, name = ''] = /^\/(autnum|entity)\/([^/]{1,100})$/.exec(pathname) ?? []
  if (!noun) return problem(400, 'Ask for /autnum/NUMBER or /entity/HANDLE.')
  if (noun === 'entity') {
    const entity = entities.find((candidate) => candidate.handle === decodeURIComponent(name))
    return entity ? [200, entity] : problem(404, 'There is no such entity.')
  }
  const asn = parseAsn(name)
  if (asn === null) return problem(400, 'An autonomous system is a number.')
  const autnum = autnums.find((candidate) => candidate.startAutnum <= asn && asn <= candidate.endAutnum)
  return autnum ? [200, autnum] : problem(404, 'This number is not registered here.')
}

const problem = (errorCode: number, title: string): [number, object] => [errorCode, { errorCode, title }]

const bootstrap = ({ autnums }: RegistryFile, base: string) => ({
  version: '1.0',
  publication: '2026-11-20T00:00:00Z',
  services: [[autnums.map(({ startAutnum, endAutnum }) => `${startAutnum}-${endAutnum}`), [base]]],
})
