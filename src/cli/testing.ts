/** The shell as a person uses it: words in, lines out. */
import { runCommandLine } from './run.ts'

export interface Outcome {
  readonly code: number
  /** Everything that was printed, answers and remarks. */
  readonly text: string
}

export async function run(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const lines: string[] = []
  const say = (line: string): void => void lines.push(line)
  const code = await runCommandLine(words, { env, say, warn: say })
  return { code, text: lines.join('\n') }
}

/** Words as a POSIX shell splits them, as far as our manuals go: quotes, no expansion. */
export const splitArguments = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, inQuotes, bare]) => inQuotes ?? bare!)

/** Settings that name this database. The driver takes the socket from the query; an address of a URL needs a host. */
export const settingsFor = (url: string, dataDir: string): NodeJS.ProcessEnv => ({
  DATABASE_URL: url.replace('@/', '@socket/'),
  DATA_DIR: dataDir,
  COMPUTE: 'simulated',
  EDGE: 'simulated',
  DEMO: 'off',
  PUBLIC_URL: 'https://portal.example.net',
})
