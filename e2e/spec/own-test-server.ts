/** The test server that belongs to this test file's worker. */
import { inject } from 'vitest'

/** From 1, and unique among concurrent workers. */
const worker = Number(process.env['VITEST_POOL_ID'])

export const testServer = inject('testServers')[worker - 1]!
