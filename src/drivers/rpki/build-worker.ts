import { parentPort, workerData } from 'node:worker_threads'
import type { BuildAnswer, BuildJob } from './build.ts'
import { buildFamilyIndex, type FamilyIndex } from './family-index.ts'
import { parseVrpExport } from './json/parse.ts'

const job = workerData as BuildJob
let answer: BuildAnswer
try {
  const { v4, v6, aspas, builtAt } =
    job.kind === 'json' ? parseVrpExport(job.bytes, new Date(job.now)) : { ...job, aspas: null, builtAt: null }
  answer = { ok: true, result: { v4: buildFamilyIndex(v4), v6: buildFamilyIndex(v6), aspas, builtAt } }
} catch (error) {
  answer = { ok: false, message: error instanceof Error ? error.message : String(error) }
}
parentPort?.postMessage(answer, answer.ok ? [...buffersOf(answer.result.v4), ...buffersOf(answer.result.v6)] : [])

/** Handed over instead of copied. */
function buffersOf({ rows, ...arrays }: FamilyIndex): ArrayBuffer[] {
  const { words, lengths, maxLengths, asns } = rows
  return [...Object.values(arrays), words, lengths, maxLengths, asns].map((array) => array.buffer as ArrayBuffer)
}
