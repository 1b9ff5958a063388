/** Writes the packages that the lockfile pins as a bill of materials (CycloneDX 1.6), for vulnerability scanners. */
import { licenseOf, type Package, type readLockfile } from './lockfile.ts'

export function bomOf({ name, version, packages }: ReturnType<typeof readLockfile>, at: Date) {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${crypto.randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      component: { type: 'application', name, version, 'bom-ref': `${name}@${version}` },
    },
    components: packages.map(componentOf),
  }
}

function componentOf(one: Package) {
  const { name, version, integrity, place, dev, optional, devOptional } = one
  const [scope, bare] = name.startsWith('@') ? (name.split('/') as [string, string]) : [undefined, name]
  const license = licenseOf(one)
  return {
    type: 'library',
    'bom-ref': `${place}@${version}`,
    ...(scope === undefined ? {} : { group: scope }),
    name: bare,
    version,
    // CycloneDX: `excluded` means that it is not needed at run time.
    scope: dev || devOptional ? 'excluded' : optional ? 'optional' : 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [license.startsWith('(') ? { expression: license } : { license: { id: license } }],
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity!.slice('sha512-'.length), 'base64').toString('hex') }],
  }
}
