/**
 * `npm run --silent sbom`: prints the bill of materials (CycloneDX, JSON); with `-- --licences` a list of names and
 * licences.
 */
import { licenseOf, readLockfile } from './packages/lockfile.ts'
import { bomOf } from './packages/sbom.ts'

const lockfile = readLockfile()
if (process.argv.includes('--licences'))
  for (const one of lockfile.packages) console.log(`${licenseOf(one)}\t${one.name}@${one.version}`)
else console.log(JSON.stringify(bomOf(lockfile, new Date()), null, 2))
