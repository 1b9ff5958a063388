/**
 * `node bench/peers/bare-server.ts [DATA_DIR]`: the simplest possible server. A Fastify that says hello and, with a
 * data folder, runs the same embedded database, empty. Prints `ready ADDRESS`.
 */
import fastify from 'fastify'
import pg from 'pg'
import { startEmbedded } from '../../src/platform/db/embedded.ts'

const dataDir = process.argv[2]
const database = dataDir === undefined ? null : await startEmbedded({ dataDir })
const pool = database && new pg.Pool({ connectionString: database.url })
await pool?.query('select 1')

const app = fastify()
app.get('/', () => ({ hello: 'world' }))
process.stdout.write(`ready ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)

process.once('SIGTERM', () => {
  void app
    .close()
    .then(() => pool?.end())
    .then(() => database?.stop())
    .then(() => process.exit(0))
})
