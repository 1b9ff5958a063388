/** Reads emails that the portal writes into its folder, by recipient. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'

/** On a busy machine no server lives long enough to send it before the kills are over. */
const WITHIN_MS = 240_000

export interface Mailbox {
  /** Returns every email to this address. */
  emailsTo(address: string): Promise<Email[]>
  /** Waits for the newest email to this address whose text matches. */
  awaitEmail(address: string, pattern: RegExp): Promise<Email>
}

export function openMailbox(dataDir: string): Mailbox {
  const folder = path.join(dataDir, 'mail')
  // A file name begins with the recipient, so that a full folder need not be read for each.
  const emailsTo = async (address: string): Promise<Email[]> => {
    const names = await readdir(folder).catch(() => [])
    const fitting = names.filter((name) => name.startsWith(`${address}.`) && name.endsWith('.eml'))
    return Promise.all(fitting.map(async (name) => new PostalMime().parse(await readFile(path.join(folder, name)))))
  }
  return {
    emailsTo,
    async awaitEmail(address, pattern) {
      for (const until = performance.now() + WITHIN_MS; ; await sleep(200)) {
        const found = (await emailsTo(address)).filter((sentEmail) => pattern.test(sentEmail.text ?? ''))
        const newest = found.toSorted((a, b) => Date.parse(b.date ?? '') - Date.parse(a.date ?? ''))[0]
        if (newest) return newest
        if (performance.now() > until) throw new Error(`no letter to ${address} that matches ${String(pattern)}`)
      }
    },
  }
}
