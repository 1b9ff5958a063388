/** Writes the generated files that are committed; a test fails when one differs from its source. */
import { writeFile } from 'node:fs/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbedded } from '../src/platform/db/embedded.ts'
import { migrate } from '../src/platform/db/index.ts'
import { describeSchema, SCHEMA_FILE } from '../src/platform/db/schema.ts'
import { generateGraphql } from './graphql.ts'

for (const file of generateGraphql()) {
  await writeFile(file.path, file.content)
  console.log(`wrote ${path.relative(process.cwd(), file.path)}`)
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'longhaul-codegen-'))
const server = await startEmbedded({ dataDir })
try {
  await migrate(server.url)
  await writeFile(SCHEMA_FILE, await describeSchema(server.url))
  console.log(`wrote ${path.relative(process.cwd(), SCHEMA_FILE)}`)
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true })
}
