/** Runs the command line as a person does: arguments in, lines out. */
import { runCommandLine } from './run.ts'

export interface Outcome {
  readonly code: number
  /** Everything that was printed, output and remarks. */
  readonly text: string
}

export async function run(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const lines: string[] = []
  const say = (line: string): void => void lines.push(line)
  const code = await runCommandLine(words, { env, say, warn: say })
  return { code, text: lines.join('\n') }
}

/** Splits arguments like a POSIX shell, as far as our manuals need: quotes, no expansion. */
export const splitArguments = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, inQuotes, bare]) => inQuotes ?? bare!)

/** Returns settings for this database. The driver takes the socket from the query; an address in a URL needs a host. */
export const settingsFor = (url: string, dataDir: string): NodeJS.ProcessEnv => ({
  DATABASE_URL: url.replace('@/', '@socket/'),
  DATA_DIR: dataDir,
  COMPUTE: 'simulated',
  EDGE: 'simulated',
  DEMO: 'off',
  PUBLIC_URL: 'https://portal.example.net',
})
