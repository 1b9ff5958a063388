/** Reads the product's own database directly, for what no page shows. */
import pg from 'pg'
import { startEmbedded } from '../../src/platform/db/embedded.ts'

export interface Store {
  rows<Row extends object>(query: string): Promise<Row[]>
  close(): Promise<void>
}

/** The product must be running: this only joins its database. */
export async function openStore(dataDir: string): Promise<Store> {
  const embedded = await startEmbedded({ dataDir })
  const client = new pg.Client({ connectionString: embedded.url })
  await client.connect()
  return {
    rows: async <Row extends object>(query: string) => (await client.query<Row>(query)).rows,
    close: async () => {
      await client.end()
      await embedded.stop()
    },
  }
}
