import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const DEADLINE_MS = 10_000

/** Runs iproute2 with an argument list; nothing passes through a shell. */
export async function ip(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('ip', args, { timeout: DEADLINE_MS, maxBuffer: 4 * 1024 * 1024 })
  return stdout
}

export const inNamespace = (namespace: string, ...args: readonly string[]): Promise<string> =>
  ip('netns', 'exec', namespace, ...args)

export async function namespaceExists(namespace: string): Promise<boolean> {
  const listed = await ip('netns', 'list')
  return listed.split('\n').some((line) => line.split(' ')[0] === namespace)
}

export async function linkExists(name: string, namespace?: string): Promise<boolean> {
  const links = JSON.parse(await ip(...at(namespace), '-json', 'link', 'show')) as { ifname: string }[]
  return links.some((link) => link.ifname === name)
}

/** The leading arguments that direct a command at a namespace, or at the root one. */
export const at = (namespace: string | undefined): string[] => (namespace === undefined ? [] : ['-netns', namespace])

/** Returns the processes in one of our namespaces: daemons, and whatever a killed run left behind. */
export async function namespacePids(namespace: string): Promise<number[]> {
  const text = await ip('netns', 'pids', namespace)
  return text.split('\n').filter(Boolean).map(Number)
}
