/** Asks a question on the terminal, or reads the next line of piped input. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

export async function askTerminal(question: string, echo?: 'hidden'): Promise<string> {
  const terminal = process.stdin.isTTY
  // On standard error: a command's output may be redirected to a file.
  process.stderr.write(terminal ? question : '')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({
    input: process.stdin,
    output: echo === 'hidden' ? silent : process.stderr,
    terminal,
  })
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return await Promise.race([lines.question(''), closed])
  } finally {
    lines.close()
    if (terminal && echo === 'hidden') process.stderr.write('\n')
  }
}
