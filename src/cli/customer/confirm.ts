import { CommandError, type Terminal } from '../command.ts'

/** Confirms an action that cannot be undone: the user types its name, or scripts pass `--yes`. */
export async function confirm(terminal: Terminal, yes: boolean, action: string, name: string): Promise<void> {
  if (yes) return
  if (!terminal.ask) throw new CommandError(`This ${action}. Say --yes if that is what you want.`)
  const typed = await terminal.ask(`This ${action}. Type ${name} to go on: `)
  if (typed.trim() !== name) throw new CommandError('Nothing was done. Where nobody can be asked, say --yes.')
}
