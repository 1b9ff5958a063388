/** `node prepare-directory.ts <directory> <AS number> <router ID>`: see docs/edge.md. */
import { parseAsn } from '../../../kernel/asn.ts'
import { EdgeError } from '../index.ts'
import { prepareBirdDirectory } from './prepare.ts'

const [directory, asn, routerId] = process.argv.slice(2)
const localAsn = parseAsn(asn ?? '')
if (!directory || localAsn === null || !routerId) {
  process.stderr.write('usage: prepare-directory.ts <directory> <AS number> <router ID>\n')
  process.exit(2)
}
try {
  await prepareBirdDirectory(directory, { localAsn, routerId })
} catch (error) {
  if (!(error instanceof EdgeError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
