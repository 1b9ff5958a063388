import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EdgeError } from '../index.ts'
import { CUSTOMERS_FILE, POLICY_FILE } from './render.ts'

/** Returns the operator's own file. Throws `EdgeError` refused if it cannot be read, or does not include ours. */
export async function requireIncludes(config: string, directory: string): Promise<string> {
  const text = await readFile(config, 'utf8').catch((cause: unknown) => {
    throw new EdgeError('refused', `${config} cannot be read, so no change can be checked: see EDGE_CONFIG.`, { cause })
  })
  for (const file of [POLICY_FILE, CUSTOMERS_FILE]) {
    const include = `include "${join(directory, 'live', file)}"`
    if (!text.split('\n').some((line) => line.trim().startsWith(include)))
      throw new EdgeError('refused', `${config} has no line ${include}.`)
  }
  return text
}
