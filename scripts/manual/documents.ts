/** Finds the blocks of commands and configuration in the documentation. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.join(import.meta.dirname, '../..')
export const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

export interface Block {
  readonly language: string
  readonly text: string
  /** File and first line. */
  readonly key: string
}

export const documents: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(path.join(ROOT, 'docs')).map((file) => `docs/${file}`),
].filter((file) => file.endsWith('.md'))

/** Diagrams, and an example of API output. */
const NO_COMMANDS = ['', 'json']

export const commands: readonly Block[] = documents
  .flatMap((file) =>
    [...read(file).matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(([, indent = '', language = '', body = '']) => {
      const text = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      return { language, text, key: `${file}: ${text.split('\n')[0]!.trim()}` }
    }),
  )
  .filter(({ language }) => !NO_COMMANDS.includes(language))

/** Returns the block whose key begins with this. */
export function block(beginning: string): string {
  const found = commands.find(({ key }) => key.startsWith(beginning))
  if (!found) throw new Error(`No block begins with ${beginning}`)
  return found.text
}
