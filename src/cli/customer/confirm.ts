import { Refusal, type Terminal } from '../command.ts'

/** Before what cannot be taken back: its name, typed; or `--yes`, from whoever has nobody to ask. */
export async function confirm(terminal: Terminal, yes: boolean, deed: string, name: string): Promise<void> {
  if (yes) return
  if (!terminal.ask) throw new Refusal(`This ${deed}. Say --yes if that is what you want.`)
  const typed = await terminal.ask(`This ${deed}. Type ${name} to go on: `)
  if (typed.trim() !== name) throw new Refusal('Nothing was done. Where nobody can be asked, say --yes.')
}
