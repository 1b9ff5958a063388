/** The command line of operators and customers: `longhaul help` describes it. */
import { askTerminal } from './ask.ts'
import { runCommandLine } from './run.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  say: (line) => void process.stdout.write(`${line}\n`),
  warn: (line) => void process.stderr.write(`${line}\n`),
  ask: askTerminal,
})
