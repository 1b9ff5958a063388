import { CommandError, type Terminal } from '../command.ts'

/** Confirms an action that cannot be undone: the user types its name, or scripts pass `--yes`. */
export async function confirm(terminal: Terminal, yes: boolean, action: string, name: string): Promise<void> {
  if (yes) return
  if (!terminal.ask) throw new CommandError(`This ${action}. Use --yes to confirm.`)
  const typed = await terminal.ask(`This ${action}. Type ${name} to continue: `)
  if (typed.trim() !== name) throw new CommandError('Nothing was done. Use --yes in scripts.')
}
