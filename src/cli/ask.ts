/** A question to whoever sits at the terminal, or the next line that is piped in. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

export async function askTerminal(question: string, echo?: 'hidden'): Promise<string> {
  const terminal = process.stdin.isTTY
  // On standard error: the answer of a command may be on its way into a file.
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
