/** An IRRd whois server over a file of RPSL: the commands that bgpq4 and the portal send. */
import { createServer } from 'node:net'
import { answerQuery, type Session } from './irr-query.ts'
import { listen, type RunningSource, type SourceOptions } from './listen.ts'
import { readRpsl } from './rpsl.ts'
import { watchContent } from './watch.ts'

const MAX_LINE = 4096

export function startIrr(options: SourceOptions): Promise<RunningSource> {
  const objects = watchContent(options.file, readRpsl)
  const server = createServer((socket) => {
    const session: Session = { sources: null }
    let staysOpen = false
    let rest = ''
    socket.setTimeout(30_000, () => socket.end())
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const query = line.trim()
        if (query === '!q' || query === 'q') return void socket.end()
        if (query === '!!') staysOpen = true
        else socket.write(answerQuery(objects.get(), session, query))
        if (!staysOpen) return void socket.end()
      }
      if (rest.length > MAX_LINE) socket.destroy()
    })
  })
  return listen(server, options, objects.stop)
}
