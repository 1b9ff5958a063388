/** Finds a command, parses its arguments, runs it and explains errors. */
import { parseArgs } from 'node:util'
import packageFile from '../../package.json' with { type: 'json' }
import { Problem } from '../kernel/problem.ts'
import { ConfigError } from '../platform/config.ts'
import { EmbeddedFailure } from '../platform/db/embedded.ts'
import { MigrationFailure } from '../platform/db/index.ts'
import { CommandError, type Command, type Terminal } from './command.ts'
import { COMMANDS, CUSTOMER_COMMANDS, OPERATOR_COMMANDS } from './commands.ts'
import { describe, describeAll } from './help.ts'

const FAILED = 1
const NOT_UNDERSTOOD = 2

/** Returns the exit code. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { rest, env } = takeEnvironment(words, terminal.env)
    const found = findCommand(rest)
    if (!found) return explainUnknown(rest, terminal)
    const { command, given } = found
    if (given.includes('--help') || given.includes('-h')) {
      terminal.say(describe(command))
      return 0
    }
    return (await command.run(parse(command, given), { ...terminal, env })) ?? 0
  } catch (error) {
    if (error instanceof Misunderstanding) {
      terminal.warn(error.message)
      return NOT_UNDERSTOOD
    }
    terminal.warn(explain(error))
    return FAILED
  }
}

class Misunderstanding extends Error {}

/** Reads `--env FILE`, at any position. The environment takes precedence over the file. */
function takeEnvironment(words: readonly string[], env: NodeJS.ProcessEnv) {
  const at = words.indexOf('--env')
  if (at === -1) return { rest: words, env }
  const file = words[at + 1]
  if (file === undefined) throw new Misunderstanding('--env takes a file.')
  const before = new Set(Object.keys(process.env))
  try {
    process.loadEnvFile(file)
    return { rest: words.toSpliced(at, 2), env: { ...process.env, ...env } }
  } catch (error) {
    throw new Misunderstanding(`${file} cannot be read: ${(error as Error).message}`)
  } finally {
    // Child processes must not inherit the operator's secrets.
    for (const name of Object.keys(process.env)) if (!before.has(name)) delete process.env[name]
  }
}

function findCommand(words: readonly string[]): { command: Command; given: readonly string[] } | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const command = COMMANDS.find((one) => one.name === name)
    if (command) return { command, given: words.slice(length) }
  }
  return undefined
}

function explainUnknown(words: readonly string[], terminal: Terminal): number {
  const [first = 'help', second] = words
  if (first === '--version') {
    terminal.say(`longhaul ${packageFile.version}`)
    return 0
  }
  if (['help', '--help', '-h'].includes(first)) {
    const about = COMMANDS.find(({ name }) => name === words.slice(1).join(' '))
    terminal.say(about ? describe(about) : describeAll(OPERATOR_COMMANDS, CUSTOMER_COMMANDS))
    return 0
  }
  const near = COMMANDS.filter(({ name }) => name.split(' ')[0] === first)
  terminal.warn(
    near.length > 0 && second !== '--help'
      ? `There is no command "${words.slice(0, 2).join(' ')}". There are: ${near.map(({ name }) => name).join(', ')}.`
      : near.length > 0
        ? near.map(describe).join('\n\n')
        : `There is no command "${first}": see longhaul help.`,
  )
  return NOT_UNDERSTOOD
}

function parse(command: Command, given: readonly string[]): Record<string, unknown> {
  const { positionals, values } = split(command, given)
  const names = Object.keys(command.args)
  if (positionals.length !== names.length) {
    const takes = names.map((name) => name.toUpperCase()).join(' ') || 'no arguments'
    throw new Misunderstanding(`longhaul ${command.name} takes ${takes}. See longhaul ${command.name} --help.`)
  }
  const parsed: Record<string, unknown> = {}
  const problems: string[] = []
  const read = (name: string, spelled: string, { schema, takes }: Command['args'][string], value: unknown): void => {
    const result = schema.safeParse(value)
    if (result.success) parsed[name] = result.data
    else
      problems.push(
        `${spelled}: ${value === undefined ? 'is required' : `got ${JSON.stringify(value)}`}, takes ${takes}`,
      )
  }
  for (const [index, name] of names.entries()) read(name, name.toUpperCase(), command.args[name]!, positionals[index])
  for (const [name, option] of Object.entries(command.options)) read(name, `--${name}`, option, values[name])
  if (problems.length > 0) throw new Misunderstanding(problems.join('\n'))
  return parsed
}

function split(command: Command, given: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { flag }]) => [
      name,
      { type: flag ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  try {
    return parseArgs({ args: [...given], options, allowPositionals: true })
  } catch (error) {
    throw new Misunderstanding(`${explainOption(command, error as Error)} See longhaul ${command.name} --help.`)
  }
}

/** Shortens the error of Node's parser, which names the option in quotes. */
function explainOption(command: Command, error: Error): string {
  const spelled = /'(?:-\w, )?(-[^' ]*)/.exec(error.message)?.[1]
  if (spelled === undefined) return error.message
  const option = command.options[spelled.slice(2)]
  if (!option) return `longhaul ${command.name} takes no ${spelled}.`
  return option.flag ? `${spelled}: takes no value.` : `${spelled}: has no value, takes ${option.takes}.`
}

/** The message of an expected error; an unexpected one is a bug and keeps its stack trace. */
function explain(error: unknown): string {
  if (error instanceof Problem) {
    const wrong = error.status === 422 ? error.errors : undefined
    return wrong?.map(({ field, message }) => `${field}: ${message}`).join('\n') ?? error.detail
  }
  const known = [CommandError, ConfigError, EmbeddedFailure, MigrationFailure].some((kind) => error instanceof kind)
  if (known) return (error as Error).message
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && error instanceof Error)
    return error.message.includes(code) ? error.message : `${error.message} (${code})`.trim()
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
