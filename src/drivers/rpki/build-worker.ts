import { parentPort, workerData } from 'node:worker_threads'
import type { BuildAnswer, BuildJob, BuildResult } from './build.ts'
import { buildFamilyIndex, type FamilyIndex } from './family-index.ts'
import { fetchExport } from './json/fetch-export.ts'
import { parseVrpExport } from './json/parse.ts'

let answer: BuildAnswer
try {
  answer = { ok: true, result: await build(workerData as BuildJob) }
} catch (error) {
  answer = { ok: false, message: error instanceof Error ? error.message : String(error) }
}
const built = answer.ok ? answer.result : null
parentPort?.postMessage(answer, built ? [...buffersOf(built.v4), ...buffersOf(built.v6)] : [])

async function build(job: BuildJob): Promise<BuildResult | null> {
  if (job.kind === 'columns') return { v4: buildFamilyIndex(job.v4), v6: buildFamilyIndex(job.v6), source: null }
  const fetched = await fetchExport(job.location, job.tag)
  if (!fetched) return null
  const { v4, v6, aspas, builtAt } = await parseVrpExport(fetched.chunks, job.now)
  return {
    v4: buildFamilyIndex(v4),
    v6: buildFamilyIndex(v6),
    source: { aspas, changedAt: builtAt ?? fetched.changedAt, tag: fetched.tag },
  }
}

/** These are transferred instead of copied. */
function buffersOf({ rows, ...arrays }: FamilyIndex): ArrayBuffer[] {
  const { words, lengths, maxLengths, asns } = rows
  return [...Object.values(arrays), words, lengths, maxLengths, asns].map((array) => array.buffer as ArrayBuffer)
}
