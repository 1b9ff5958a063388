import os from 'node:os'

export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
  readonly node: string
}

export const describeMachine = (): Machine => ({
  processor: os.cpus()[0]?.model.trim() ?? 'unknown',
  cores: os.availableParallelism(),
  memoryGiB: Math.round(os.totalmem() / 2 ** 30),
  system: `${os.type()} ${os.release()} ${os.arch()}`,
  node: process.version,
})

/**
 * Returns how many tasks wanted a processor, over one minute: above the number of cores, every measured time includes
 * waiting.
 */
export const readLoad = (): number => Math.round(os.loadavg()[0]! * 100) / 100
