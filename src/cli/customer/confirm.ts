import { CommandError, type Terminal } from '../command.ts'

/** Before what cannot be taken back: its name, typed; or `--yes`, from whoever has nobody to ask. */
export async function confirm(terminal: Terminal, yes: boolean, action: string, name: string): Promise<void> {
  if (yes) return
  if (!terminal.ask) throw new CommandError(`This ${action}. Say --yes if that is what you want.`)
  const typed = await terminal.ask(`This ${action}. Type ${name} to go on: `)
  if (typed.trim() !== name) throw new CommandError('Nothing was done. Where nobody can be asked, say --yes.')
}
