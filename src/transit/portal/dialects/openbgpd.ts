import { exampleHost, lines, PASSWORD_PLACEHOLDER, type Peering } from './peering.ts'

export function openbgpd({ customerAsn, operatorAsn, routerId, signed, families }: Peering): string {
  return lines(
    `AS ${customerAsn}`,
    `router-id ${routerId}`,
    families.some(({ bfd }) => bfd) && '# OpenBGPD has no BFD: the sessions run without it.',
    '',
    ...families.flatMap(({ originated }) => originated.map((prefix) => `network ${prefix}`)),
    ...families.flatMap(({ family, own, edge }) => [
      '',
      `neighbor ${edge} {`,
      `\tdescr "IP transit IPv${family}"`,
      `\tremote-as ${operatorAsn}`,
      `\tlocal-address ${own}`,
      '\tannounce policy customer',
      '\tttl-security yes',
      '\tholdtime 90',
      signed && `\ttcp md5sig password "${PASSWORD_PLACEHOLDER}"`,
      '}',
    ]),
    '',
    'allow from ebgp',
    ...families
      .filter(({ allowed }) => allowed.length > 0)
      .flatMap(({ edge, allowed }) => [
        `allow to ${edge} prefix { ${allowed.join(', ')} }`,
        '# Ask us for something, for one prefix. This prepends our AS number twice to all upstreams:',
        `# match to ${edge} prefix ${allowed[0]!} set large-community ${operatorAsn}:1012:0`,
        '# Drop all traffic to an address upstream:',
        `# network ${exampleHost(allowed[0]!)} set community BLACKHOLE`,
        `# allow to ${edge} prefix ${exampleHost(allowed[0]!)} community BLACKHOLE`,
      ]),
  )
}
