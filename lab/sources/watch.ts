import { readFileSync, unwatchFile, watchFile } from 'node:fs'

const POLL_MS = 250

/**
 * Returns the parsed file, kept up to date. A file that cannot be read at the start throws. One that becomes invalid
 * later is reported, and the last valid content stays.
 */
export function watchContent<T>(file: string, parse: (text: string) => T, onChange: (content: T) => void = () => {}) {
  let content = parse(readFileSync(file, 'utf8'))
  const reread = () => {
    try {
      content = parse(readFileSync(file, 'utf8'))
      onChange(content)
    } catch (error) {
      console.error(`${file} stays as it was: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  watchFile(file, { interval: POLL_MS, persistent: false }, reread)
  return { get: (): T => content, stop: () => unwatchFile(file, reread) }
}
