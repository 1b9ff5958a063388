/** The help texts of the command line. */
import { isOptional, type Command } from './command.ts'

const GLOBAL = [
  '  --env FILE   read settings from this file, one NAME=value per line; the environment takes precedence',
  '  --help       show the arguments of a command',
  '  --version    show the release',
]

export function describeAll(operator: readonly Command[], customer: readonly Command[]): string {
  const width = Math.max(...[...operator, ...customer].map(({ name }) => name.length))
  const list = (commands: readonly Command[]) =>
    commands.map(({ name, summary }) => `  ${name.padEnd(width)}   ${summary}`)
  return [
    'longhaul COMMAND [OPTIONS]',
    '',
    'For customers, over the API of a portal (LONGHAUL_URL and LONGHAUL_TOKEN, or login):',
    ...list(customer),
    '',
    'For the operator, on the server:',
    ...list(operator),
    '',
    ...GLOBAL,
    '',
    "The operator's commands read the same settings as the server (DATABASE_URL, DATA_DIR, …): run them as the same user.",
    'Exit code: 0 success, 1 rejected or failed, 2 invalid usage.',
  ].join('\n')
}

export function describe(command: Command): string {
  const args = Object.keys(command.args).map((name) => ` ${name.toUpperCase()}`)
  const options = Object.entries(command.options)
  const spelled = options.map(([name, { flag }]) => (flag ? `--${name}` : `--${name} VALUE`))
  const width = Math.max(
    0,
    ...Object.keys(command.args).map((name) => name.length),
    ...spelled.map((one) => one.length),
  )
  const line = (left: string, right: string): string => `  ${left.padEnd(width)}   ${right}`
  return [
    `longhaul ${command.name}${args.join('')}${options.length > 0 ? ' OPTIONS' : ''}`,
    command.summary,
    ...(command.notes ? ['', command.notes] : []),
    '',
    ...Object.entries(command.args).map(([name, { takes }]) => line(name.toUpperCase(), takes)),
    ...options.map(([, option], index) =>
      line(spelled[index]!, `${option.takes}${isOptional(option) ? '' : ' (required)'}`),
    ),
    ...GLOBAL,
  ].join('\n')
}
