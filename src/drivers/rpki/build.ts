/** Builds an index off the main thread when it is large: a million VRPs take a second that no request should wait for. */
import { Worker } from 'node:worker_threads'
import type { AspaTable } from './aspa-table.ts'
import type { FamilyIndex } from './family-index.ts'
import type { VrpColumns } from './vrp-columns.ts'
import { VrpIndex } from './vrp-index.ts'

export type BuildJob =
  | { readonly kind: 'columns'; readonly v4: VrpColumns; readonly v6: VrpColumns }
  /** An export that the worker fetches and reads as it comes, unless it is still the one that `tag` names. */
  | { readonly kind: 'export'; readonly location: string; readonly tag: string | null; readonly now: Date }

export interface BuildResult {
  readonly v4: FamilyIndex
  readonly v6: FamilyIndex
  /** Of an export: what came beside its VRPs. */
  readonly source: ExportSource | null
}

export interface ExportSource {
  readonly aspas: AspaTable | null
  /** When the validator made the data, or the source's copy was changed, where either says so. */
  readonly changedAt: Date | null
  readonly tag: string | null
}

/** A result of null: the export is unchanged. */
export type BuildAnswer =
  | { readonly ok: true; readonly result: BuildResult | null }
  | { readonly ok: false; readonly message: string }

const SMALL = 10_000
/** Of objects, which an honest export needs a tenth of; columns and indexes lie outside of it, and are bounded by the export. */
const MAX_HEAP_MB = 512

export async function buildIndex(v4: VrpColumns, v6: VrpColumns): Promise<VrpIndex> {
  if (v4.count + v6.count <= SMALL) return VrpIndex.build(v4, v6)
  const built = await runBuild({ kind: 'columns', v4, v6 })
  return new VrpIndex(built!.v4, built!.v6)
}

/** Null when the export is still the one that `tag` names. Throws an Error in words when it cannot be had or is none. */
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
    // An export that was refused may still be on its way.
    stop()
  }
}
