/** The fields of the policy form, and how they are parsed. */
import type { FormValues } from '../../../../ui/components/Form.tsx'
import type { PrefixPolicy } from '../../../contract.ts'
import type { Choice } from '../../../../ui/components/Field.tsx'

type Rule = PrefixPolicy['rules'][number]

/** A rule with its own key, which is part of its field names. */
export interface KeyedRule {
  readonly key: number
  readonly rule: Rule
}

let lastKey = 0
export const keyed = (rules: readonly Rule[]): KeyedRule[] => rules.map((rule) => ({ key: ++lastKey, rule }))

export const NEW_RULE: Rule = {
  name: '',
  family: null,
  shorterThan: null,
  evidence: 'none',
  people: 2,
  reason: true,
}

export const FAMILY_CHOICES: readonly Choice[] = [
  { value: '', label: 'IPv4 and IPv6' },
  { value: '4', label: 'IPv4' },
  { value: '6', label: 'IPv6' },
]
export const EVIDENCE_CHOICES: readonly Choice[] = [
  { value: 'strong', label: 'Strong' },
  { value: 'medium', label: 'Medium or strong' },
  { value: 'none', label: 'Any or none' },
]
export const PEOPLE_CHOICES: readonly Choice[] = [
  { value: '0', label: 'Automatic' },
  { value: '1', label: 'One person' },
  { value: '2', label: 'Two people' },
]

const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text))

/** Reads the rules in the displayed order. The server rejects invalid values by field name. */
export const readRules = (values: FormValues, rules: readonly KeyedRule[]): Rule[] =>
  rules.map(({ key }) => ({
    name: values.text(`name-${key}`),
    family: numberOrNull(values.text(`family-${key}`)) as Rule['family'],
    shorterThan: numberOrNull(values.text(`shorterThan-${key}`)),
    evidence: values.text(`evidence-${key}`) as Rule['evidence'],
    people: Number(values.text(`people-${key}`)) as Rule['people'],
    reason: values.on(`reason-${key}`),
  }))

const fields = [
  {
    name: 'establishedDays',
    label: 'Established account, days',
    hint: 'Since the ASN was verified. An approved prefix is needed as well.',
    min: 0,
    max: 3650,
  },
  {
    name: 'checkAgeMinutes',
    label: 'Maximum age of checks, minutes',
    hint: 'Older RPKI and IRR checks run again before an approval.',
    min: 1,
    max: 1440,
  },
  {
    name: 'openRequests',
    label: 'Open requests per account',
    hint: 'Requests that are neither decided nor proven.',
    min: 1,
    max: 500,
  },
  {
    name: 'prefixesPerAccount',
    label: 'Prefixes per account',
    hint: 'Requested and approved. Staff can set another quota for one account.',
    min: 1,
    max: 100_000,
  },
  { name: 'requestsPerHour', label: 'Requests per account and hour', hint: undefined, min: 1, max: 10_000 },
  {
    name: 'shortest4',
    label: 'Shortest IPv4 prefix length',
    hint: '16: customers can request /16 to /24.',
    min: 8,
    max: 24,
  },
  {
    name: 'shortest6',
    label: 'Shortest IPv6 prefix length',
    hint: '29: customers can request /29 to /48.',
    min: 16,
    max: 48,
  },
] as const
type Figure = (typeof fields)[number]['name']

export const FIGURES = {
  fields,
  read: (values: FormValues) =>
    Object.fromEntries(fields.map(({ name }) => [name, Number(values.text(name))])) as Record<Figure, number>,
}
