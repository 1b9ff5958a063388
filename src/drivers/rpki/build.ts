/** Builds a large index off the main thread: a million VRPs take a second that no request should wait for. */
import { Worker } from 'node:worker_threads'
import type { AspaTable } from './aspa-table.ts'
import type { FamilyIndex } from './family-index.ts'
import type { VrpColumns } from './vrp-columns.ts'
import { VrpIndex } from './vrp-index.ts'

export type BuildJob =
  | { readonly kind: 'columns'; readonly v4: VrpColumns; readonly v6: VrpColumns }
  /** An export that the worker downloads and parses as a stream, unless it is still the one that `tag` names. */
  | { readonly kind: 'export'; readonly location: string; readonly tag: string | null; readonly now: Date }

export interface BuildResult {
  readonly v4: FamilyIndex
  readonly v6: FamilyIndex
  /** For an export: what came with its VRPs. */
  readonly source: ExportSource | null
}

export interface ExportSource {
  readonly aspas: AspaTable | null
  /** When the validator created the data, or the source's copy changed, if either is known. */
  readonly changedAt: Date | null
  readonly tag: string | null
}

/** A result of null means that the export is unchanged. */
export type BuildAnswer =
  | { readonly ok: true; readonly result: BuildResult | null }
  | { readonly ok: false; readonly message: string }

const SMALL = 10_000
/**
 * For objects, of which an honest export needs a tenth. Columns and indexes are outside of it, and limited by the size
 * of the export.
 */
const MAX_HEAP_MB = 512

export async function buildIndex(v4: VrpColumns, v6: VrpColumns): Promise<VrpIndex> {
  if (v4.count + v6.count <= SMALL) return VrpIndex.build(v4, v6)
  const built = await runBuild({ kind: 'columns', v4, v6 })
  return new VrpIndex(built!.v4, built!.v6)
}

/** Returns null if the export is still the one that `tag` names. Throws an Error if it cannot be read or is invalid. */
export async function buildFromExport(
  location: string,
  tag: string | null,
  now: Date,
  signal: AbortSignal,
): Promise<({ index: VrpIndex } & ExportSource) | null> {
  const built = await runBuild({ kind: 'export', location, tag, now }, signal)
  return built && { index: new VrpIndex(built.v4, built.v6), ...built.source! }
}

async function runBuild(job: BuildJob, signal?: AbortSignal): Promise<BuildResult | null> {
  const worker = new Worker(new URL('./build-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  worker.unref()
  const stop = () => void worker.terminate()
  signal?.addEventListener('abort', stop)
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', (answer: BuildAnswer) =>
        answer.ok ? resolve(answer.result) : reject(new Error(answer.message)),
      )
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the build of the VRP index ended early')))
    })
  } finally {
    signal?.removeEventListener('abort', stop)
    // A rejected export may still be downloading.
    stop()
  }
}
