import { lines, PASSWORD_PLACEHOLDER, type Peering } from './peering.ts'

export function openbgpd({ customerAsn, operatorAsn, routerId, signed, families }: Peering): string {
  return lines(
    `AS ${customerAsn}`,
    `router-id ${routerId}`,
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
      .map(({ edge, allowed }) => `allow to ${edge} prefix { ${allowed.join(', ')} }`),
  )
}
