/** Measures from the command to the ready line: with an empty data folder, and with a used one. */
import { startProduct } from '../e2e/product.ts'
import type { Bench } from './bench.ts'
import { startChild } from './child.ts'
import { makeDataDir } from './data-dir.ts'

const PEER = 'the same database and a bare Fastify'

export default {
  open: async () => {
    // The router image is built once per machine, not per data folder.
    const warmOurs = await makeDataDir()
    const warmTheirs = await makeDataDir()
    await startOurs(warmOurs.path)
    await startTheirs(warmTheirs.path)
    return {
      comparisons: [
        {
          name: 'clean data folder',
          unit: 'ms',
          warmUps: 0,
          ours: () => inCleanFolder(startOurs),
          peer: { name: PEER, measure: () => inCleanFolder(startTheirs) },
        },
        {
          name: 'warm data folder',
          unit: 'ms',
          ours: () => startOurs(warmOurs.path),
          peer: { name: PEER, measure: () => startTheirs(warmTheirs.path) },
        },
      ],
      close: async () => {
        await warmOurs.remove()
        await warmTheirs.remove()
      },
    }
  },
} satisfies Bench

async function startOurs(dataDir: string): Promise<number> {
  const product = await startProduct({}, { dataDir })
  await product.stop()
  return product.readyMs
}

async function startTheirs(dataDir: string): Promise<number> {
  const server = await startChild(['bench/peers/bare-server.ts', dataDir])
  await server.stop()
  return server.readyMs
}

async function inCleanFolder(start: (dataDir: string) => Promise<number>): Promise<number> {
  const folder = await makeDataDir()
  try {
    return await start(folder.path)
  } finally {
    await folder.remove()
  }
}
