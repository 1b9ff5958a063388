/** Writes the generated files that are committed; a test fails when one differs from its source. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { generateGraphql } from './graphql.ts'

for (const file of generateGraphql()) {
  await writeFile(file.path, file.content)
  console.log(`wrote ${path.relative(process.cwd(), file.path)}`)
}
