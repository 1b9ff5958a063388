/**
 * Serves the web data of validators and PeeringDB: the export with ASPA objects, and what networks publish about
 * themselves.
 */
import { createServer } from 'node:http'
import { z } from 'zod'
import { listen, type RunningSource, type SourceOptions } from './listen.ts'
import { watchContent } from './watch.ts'

const exportFile = z.looseObject({ roas: z.array(z.unknown()), aspas: z.array(z.unknown()) })
const networksFile = z.array(z.looseObject({ asn: z.int(), irr_as_set: z.string() }))

/** `/json`: the file, as a validator that has just run would write it. */
export const startRpkiExport = (options: SourceOptions): Promise<RunningSource> =>
  serve(options, exportFile, (content, { pathname }) =>
    pathname === '/json' ? { metadata: { buildtime: new Date().toISOString() }, ...content } : null,
  )

/** `/api/net?asn=…` of PeeringDB. */
export const startPeeringDb = (options: SourceOptions): Promise<RunningSource> =>
  serve(options, networksFile, (networks, { pathname, searchParams }) =>
    pathname === '/api/net'
      ? { meta: {}, data: networks.filter(({ asn }) => String(asn) === searchParams.get('asn')) }
      : null,
  )

function serve<T>(
  options: SourceOptions,
  shape: z.ZodType<T>,
  answer: (content: T, address: URL) => object | null,
): Promise<RunningSource> {
  const content = watchContent(options.file, (text) => shape.parse(JSON.parse(text)))
  const server = createServer((request, response) => {
    const body = answer(content.get(), new URL(request.url ?? '/', 'http://web.invalid'))
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
  })
  return listen(server, options, content.stop)
}
