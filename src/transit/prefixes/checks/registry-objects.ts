/**
 * Objects in the form of each registry, with its mandatory attributes: pure. Maintainers are never invented: for an
 * unknown one the text has `YOUR` in the registry's own style.
 */
import { formatAsn } from '../../../kernel/asn.ts'

export interface RegistryForm {
  /** The name in common use. */
  readonly title: string
  readonly source: string
  readonly maintainer: string
  /** Where its objects are created, and where ROAs and ASPAs are. */
  readonly irrUrl: string
  readonly rpkiUrl: string
  /** Attributes that it requires besides those of every object. */
  readonly description: boolean
  readonly changed: 'all' | 'set' | 'none'
  readonly contacts: boolean
  /** Steps instead of text, because its portal generates the objects from ROAs. */
  readonly generated: boolean
}

const base = { description: false, changed: 'none', contacts: false, generated: false } as const
const FORMS: Readonly<Record<string, RegistryForm>> = {
  RIPE: {
    ...base,
    title: 'the RIPE Database',
    source: 'RIPE',
    maintainer: 'YOUR-MNT',
    irrUrl: 'https://apps.db.ripe.net/db-web-ui/webupdates',
    rpkiUrl: 'https://www.ripe.net/manage-ips-and-asns/resource-management/rpki/',
    contacts: true,
  },
  ARIN: {
    ...base,
    title: 'ARIN Online',
    source: 'ARIN',
    maintainer: 'MNT-YOURORGID',
    irrUrl: 'https://www.arin.net/resources/manage/irr/userguide/',
    rpkiUrl: 'https://www.arin.net/resources/manage/rpki/',
    description: true,
  },
  APNIC: {
    ...base,
    title: 'MyAPNIC',
    source: 'APNIC',
    maintainer: 'MAINT-YOUR-AP',
    irrUrl: 'https://www.apnic.net/manage-ip/using-whois/guide/route/',
    rpkiUrl: 'https://www.apnic.net/community/security/resource-certification/',
    description: true,
    contacts: true,
  },
  AFRINIC: {
    ...base,
    title: 'MyAFRINIC',
    source: 'AFRINIC',
    maintainer: 'YOUR-MNT',
    irrUrl: 'https://afrinic.net/support/irr/how-to',
    rpkiUrl: 'https://afrinic.net/resource-certification',
    description: true,
    changed: 'all',
    contacts: true,
  },
  LACNIC: {
    ...base,
    title: 'MiLACNIC',
    source: 'LACNIC',
    maintainer: 'MNT-YOURS-LACNIC',
    irrUrl: 'https://lacnic.zendesk.com/hc/en-us/articles/360038527114',
    rpkiUrl: 'https://lacnic.zendesk.com/hc/en-us/articles/360038667154',
    generated: true,
  },
  RADB: {
    ...base,
    title: 'RADB',
    source: 'RADB',
    maintainer: 'MAINT-YOURS',
    irrUrl: 'https://radb.atlassian.net/wiki/spaces/RADb/pages/46105101',
    rpkiUrl: '',
    changed: 'set',
  },
}

/** For a source without its own form: RIPE's attributes, without the contacts. */
export const registryForm = (source: string): RegistryForm =>
  FORMS[source] ?? { ...FORMS.RIPE!, title: source, source, contacts: false, irrUrl: '', rpkiUrl: '' }

interface Owned {
  /** As found in the registry; null when unknown. */
  readonly maintainer: string | null
}

export function routeObjectText(
  form: RegistryForm,
  { prefix, origin, maintainer }: Owned & { prefix: string; origin: number },
): string {
  if (form.generated) {
    const { length } = { length: prefix.split('/')[1] }
    return [
      `1. ${form.title}, Services, RPKI: create the ROA for ${formatAsn(origin)}, ${prefix}, maxLength ${length}.`,
      '2. Services, IRR: generate the objects from the ROAs.',
    ].join('\n')
  }
  return rpsl([
    [prefix.includes(':') ? 'route6' : 'route', prefix],
    ...(form.description && form.source !== 'ARIN' ? [['descr', 'Your organization'] as const] : []),
    ['origin', formatAsn(origin)],
    ['mnt-by', maintainer ?? form.maintainer],
    ...(form.changed === 'all' ? [CHANGED] : []),
    ['source', form.source],
  ])
}

export function asSetText(
  form: RegistryForm,
  { name, members, maintainer }: Owned & { name: string; members: readonly number[] },
): string {
  const list = members.map(formatAsn).join(', ')
  if (form.generated)
    return [
      `1. ${form.title}, Services, IRR: enable the creation of AS-SETs.`,
      `2. Tab AS-SET: create ${name} with the members ${list}.`,
    ].join('\n')
  return rpsl([
    ['as-set', name],
    ...(form.description ? [['descr', 'Your customers'] as const] : []),
    ['members', list],
    ...(form.contacts
      ? ([
          ['tech-c', 'YOUR-NIC-HDL'],
          ['admin-c', 'YOUR-NIC-HDL'],
        ] as const)
      : []),
    ['mnt-by', maintainer ?? form.maintainer],
    ...(form.changed === 'none' ? [] : [CHANGED]),
    ['source', form.source],
  ])
}

const CHANGED = ['changed', 'you@example.net'] as const

/** Aligns RPSL attributes in the column in which registries print them (RFC 2622 section 2). */
export const rpsl = (attributes: readonly (readonly [name: string, value: string])[]): string =>
  attributes.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}`.trimEnd()).join('\n')
