import type { ExecResult } from '../index.ts'
import type { SimulatedMachine } from './machine.ts'

type Command = (machine: SimulatedMachine, args: readonly string[]) => ExecResult

const BIRD_CONF = '/etc/vr/bird.conf'
/** The main file, which includes our file and the owner's files. */
const COMPLETE_CONF = '/etc/bird/bird.conf'
/** The files of the router's owner, which `birdc configure` also loads. */
const OWN_FILES = /^\/data\/bird\.d\/[^/]+\.conf$/

const says = (stdout: string, exitCode = 0): ExecResult => ({ exitCode, stdout, stderr: '' })
const fails = (stderr: string, exitCode = 1): ExecResult => ({ exitCode, stdout: '', stderr })

const COMMANDS: Readonly<Record<string, Command>> = {
  hostname: (machine) => says(`${hostnameOf(machine)}\n`),
  uptime: (machine) => says(`up ${Math.floor(machine.uptimeMs / 1000)} s, load average: 0.02, 0.01, 0.00\n`),
  cat: (machine, [path = '']) => {
    const content = machine.record.files[path]
    return content === undefined ? fails(`cat: ${path}: No such file or directory\n`) : says(content)
  },
  echo: (_machine, args) => says(`${args.join(' ')}\n`),
  birdc: (machine, args) => runBirdc(machine, args.join(' ')),
  help: () => says(`This router is simulated. Commands: ${Object.keys(COMMANDS).sort().join(', ')}\n`),
}

/** Runs one of the few programs of the simulated guest. */
export function runInGuest(machine: SimulatedMachine, argv: readonly string[]): ExecResult {
  const [path = '', ...args] = argv
  const name = path.slice(path.lastIndexOf('/') + 1)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  return command === undefined ? fails(`${name.slice(0, 60)}: not found\n`, 127) : command(machine, args)
}

export function hostnameOf(machine: SimulatedMachine): string {
  return machine.record.files['/etc/vr/hostname']?.trim() || machine.spec.label
}

function runBirdc(machine: SimulatedMachine, command: string): ExecResult {
  const { files } = machine.record
  const config = files[BIRD_CONF]
  const ready = 'BIRD 2.0.12 ready.\n'
  if (config === undefined)
    return fails('Unable to connect to server control socket (/run/bird/bird.ctl): no such file\n')
  const own = Object.keys(files)
    .filter((path) => OWN_FILES.test(path))
    .toSorted()
  const load = /^configure(?<check> check)?(?: "(?<path>[^"]+)")?$/.exec(command)?.groups
  if (load)
    return says(
      ready +
        configure(
          files,
          (load['path'] ?? COMPLETE_CONF) === COMPLETE_CONF ? [BIRD_CONF, ...own] : [load['path']!],
          Boolean(load['check']),
        ),
    )
  if (/^show protocols( all)?$/.test(command)) {
    const loaded = [BIRD_CONF, ...own].every((path) => isBalanced(files[path]!)) ? [BIRD_CONF, ...own] : [BIRD_CONF]
    return says(ready + showProtocols(loaded.map((path) => files[path]).join('\n')))
  }
  if (command === 'show status') return says(`${ready}Hostname is ${hostnameOf(machine)}\nDaemon is up and running\n`)
  return says(`${ready}syntax error, unexpected CF_SYM_UNDEFINED\n`)
}

/** Unbalanced braces are the one mistake that can be detected without BIRD's grammar. */
function configure(files: SimulatedMachine['record']['files'], paths: readonly string[], check: boolean): string {
  for (const path of paths) {
    const content = files[path]
    if (content === undefined) return `${path}: No such file\n`
    if (!isBalanced(content)) return `${path}:${content.split('\n').length}:1 syntax error, unexpected end of file\n`
  }
  return `Reading configuration from ${paths[0]}\n${check ? 'Configuration OK' : 'Reconfigured'}\n`
}

const isBalanced = (config: string): boolean => config.split('{').length === config.split('}').length

function showProtocols(config: string): string {
  const found = [...config.matchAll(/^\s*protocol\s+(\w+)(?:\s+(\w+))?[^{]*\{/gm)]
  const rows = found.map(([, kind = '', name], index) => {
    const [title, table, info] = kind === 'bgp' ? ['BGP', '---', 'Established'] : [capitalise(kind), 'master4', '']
    return `${(name ?? `${kind}${index + 1}`).padEnd(11)}${title!.padEnd(11)}${table!.padEnd(11)}up     ${info}`.trimEnd()
  })
  return ['Name       Proto      Table      State  Info', ...rows, ''].join('\n')
}

function capitalise(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
