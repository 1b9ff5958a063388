/** Builds an index off the main thread when it is large: a million VRPs take a second that no request should wait for. */
import { Worker } from 'node:worker_threads'
import type { AspaTable } from './aspa-table.ts'
import type { FamilyIndex } from './family-index.ts'
import type { VrpColumns } from './vrp-columns.ts'
import { VrpIndex } from './vrp-index.ts'

export type BuildJob =
  | { readonly kind: 'columns'; readonly v4: VrpColumns; readonly v6: VrpColumns }
  | { readonly kind: 'json'; readonly bytes: Uint8Array; readonly now: number }

export interface BuildResult {
  readonly v4: FamilyIndex
  readonly v6: FamilyIndex
  readonly aspas: AspaTable | null
  /** When the validator made the data, where the data says so. */
  readonly builtAt: Date | null
}

export type BuildAnswer =
  | { readonly ok: true; readonly result: BuildResult }
  | { readonly ok: false; readonly message: string }

const SMALL = 10_000

export async function buildIndex(v4: VrpColumns, v6: VrpColumns): Promise<VrpIndex> {
  if (v4.count + v6.count <= SMALL) return VrpIndex.build(v4, v6)
  const built = await runBuild({ kind: 'columns', v4, v6 })
  return new VrpIndex(built.v4, built.v6)
}

/** An export of a validator, as bytes. Throws an Error in words when it is not one. */
export async function buildFromJson(
  bytes: Uint8Array,
  now: Date,
): Promise<{ index: VrpIndex } & Pick<BuildResult, 'aspas' | 'builtAt'>> {
  const { v4, v6, aspas, builtAt } = await runBuild({ kind: 'json', bytes, now: now.getTime() })
  return { index: new VrpIndex(v4, v6), aspas, builtAt }
}

function runBuild(job: BuildJob): Promise<BuildResult> {
  const worker = new Worker(new URL('./build-worker.ts', import.meta.url), { workerData: job })
  worker.unref()
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: BuildAnswer) =>
      answer.ok ? resolve(answer.result) : reject(new Error(answer.message)),
    )
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the build of the VRP index ended early')))
  })
}
