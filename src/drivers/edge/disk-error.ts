import { EdgeError } from './index.ts'

const DISK_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full (ENOSPC). Free space there; the change is then applied automatically',
  EDQUOT: 'the disk quota is used up (EDQUOT). Raise it; the change is then applied automatically',
  EROFS: 'the file system is read-only (EROFS). Check the disk',
  EACCES: 'permission denied (EACCES). Give the directory to the user of this process',
  EPERM: 'not permitted (EPERM). Give the directory to the user of this process',
  EIO: 'the disk has an error (EIO). Check the disk',
}

/** Explains a system error from writing to a directory, and what to do. */
export function diskError(directory: string, cause: unknown): EdgeError {
  const code = (cause as NodeJS.ErrnoException | null)?.code
  const why = code === undefined ? '.' : `: ${DISK_ERRORS[code] ?? code}.`
  return new EdgeError('internal', `The edge's configuration cannot be written to ${directory}${why}`, { cause })
}
