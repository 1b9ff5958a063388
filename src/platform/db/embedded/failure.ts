/** Why the embedded database cannot run, and what to do: the message is for the person who started the product. */
export class EmbeddedFailure extends Error {
  override readonly name = 'EmbeddedFailure'
}

const INSTEAD = 'Or set DATABASE_URL to a PostgreSQL server of your own.'

/** The few causes that a person can fix, with plain explanations; the server's own message comes first. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /No space left on device|Disk quota exceeded/i,
    'The disk is full. Free some space, then start again: nothing that was saved is lost.',
  ],
  [
    /initialized by PostgreSQL version|incompatible with server/i,
    'The data was written by another major version of PostgreSQL. Run the release that last used it, export, and import into this one.',
  ],
  [
    /could not create shared memory|shmget|could not map anonymous/i,
    'The machine has too little (shared) memory left. Stop something, or give it more.',
  ],
  [
    /Read-only file system/i,
    'The file system is mounted read-only. Mount it read-write, or set DATA_DIR to another folder.',
  ],
  [
    /Permission denied|Operation not permitted|unable to open database file|readonly database/i,
    'A file or folder may not be read or written. Give DATA_DIR back to the user that first started the product, or set it to another folder.',
  ],
  [
    /error while loading shared libraries|GLIBC\w* not found|spawn \S+ ENOENT/i,
    `The built-in PostgreSQL does not run on this system. ${INSTEAD}`,
  ],
]

export function explain(step: string, output: string): EmbeddedFailure {
  const advice = CAUSES.find(([pattern]) => pattern.test(output))?.[1] ?? INSTEAD
  return new EmbeddedFailure(`${step} failed. ${advice}\n${output.trim().split('\n').slice(-6).join('\n')}`)
}
