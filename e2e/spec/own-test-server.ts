/** The product that the worker of this file of tests keeps to itself. */
import { inject } from 'vitest'

/** From 1, and never the same for two workers at a time. */
const worker = Number(process.env['VITEST_POOL_ID'])

export const testServer = inject('testServers')[worker - 1]!
