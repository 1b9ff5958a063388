/** Answers from a file without querying any server, for trying out tokens in reverse DNS. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { DnsError, DNSSEC_STATUSES, isDnsName, MAX_RECORDS, type TxtResolver } from '../index.ts'

/** By name, without a trailing dot. */
const fileShape = z.record(
  z.string(),
  z.object({ txt: z.array(z.string()), dnssec: z.enum(DNSSEC_STATUSES).default('INSECURE') }),
)

/** The file is read for each query; without the file no name has a record. */
export function createSimulatedDns({ file }: { readonly file: string }): TxtResolver {
  return {
    kind: 'simulated',
    server: file,
    async txt(name, signal) {
      if (!isDnsName(name)) throw new DnsError('protocol', 'This is not a name that can be asked for.')
      signal?.throwIfAborted()
      const found = (await readRecords(file))[name]
      return {
        records: found?.txt.slice(0, MAX_RECORDS) ?? [],
        alias: false,
        dnssec: found?.dnssec ?? 'INSECURE',
        resolvers: 2,
      }
    },
  }
}

async function readRecords(file: string): Promise<z.output<typeof fileShape>> {
  try {
    return fileShape.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new DnsError('unreachable', `The records in ${file} cannot be read.`, { cause: error })
  }
}
