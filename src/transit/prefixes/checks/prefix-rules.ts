/** Validates a prefix on its own, before any source or table is queried: pure. */
import { bogonReason, longestAnnounced, shortestAnnounced } from '../../../kernel/bogon.ts'
import { formatPrefix, parsePrefix, PrefixError, type Prefix } from '../../../kernel/prefix.ts'
import { readRange, type AddressRange } from '../../../kernel/prefix-list.ts'
import type { CheckProblem, Remediation } from '../../contract.ts'

export interface ValueValidation {
  /** Null when the text is not a prefix. */
  readonly prefix: Prefix | null
  readonly problems: readonly CheckProblem[]
  readonly remediation: readonly Remediation[]
}

export const DUPLICATE: CheckProblem = { code: 'DUPLICATE', message: 'is in the list more than once' }

export function validatePrefixValue(text: string): ValueValidation {
  const range = readRange(text)
  if (range)
    return { prefix: null, problems: [{ code: 'RANGE', message: range.problem }], remediation: wholeRange(range) }
  let prefix: Prefix
  try {
    prefix = parsePrefix(text)
  } catch (error) {
    if (!(error instanceof PrefixError)) throw error
    return notAPrefix(text, error.message)
  }
  return { prefix, problems: problemsOf(prefix), remediation: [] }
}

const problemsOf = (prefix: Prefix): CheckProblem[] => [...bogonProblems(prefix), ...lengthProblems(prefix)]

/** A field takes one prefix. Several are listed only in the problem. */
const wholeRange = ({ prefixes: [only, ...more] }: AddressRange): Remediation[] =>
  only && more.length === 0
    ? [{ kind: 'VALUE', title: 'Request the prefix of this range', text: formatPrefix(only), url: null }]
    : []

function notAPrefix(text: string, message: string): ValueValidation {
  const suggestion = /did you mean (\S+)\?$/.exec(message)?.[1]
  if (!suggestion) return { prefix: null, problems: [{ code: 'SYNTAX', message }], remediation: [] }
  const next = problemsOf(parsePrefix(suggestion))
  // Its network would be refused next.
  if (next.length > 0)
    return { prefix: null, problems: [{ code: 'HOST_BITS', message: 'host bits are set' }, ...next], remediation: [] }
  return {
    prefix: null,
    problems: [{ code: 'HOST_BITS', message }],
    remediation: [
      { kind: 'VALUE', title: `Request the network that contains ${text.trim()}`, text: suggestion, url: null },
    ],
  }
}

function bogonProblems(prefix: Prefix): CheckProblem[] {
  const why = bogonReason(prefix)
  return why ? [{ code: 'BOGON', message: `${formatPrefix(prefix)} may not be announced: ${why}` }] : []
}

/** By convention networks drop longer prefixes, so an approval would promise reachability that no such prefix has. */
function lengthProblems(prefix: Prefix): CheckProblem[] {
  const { family, length } = prefix
  if (length > longestAnnounced(family)) {
    const message = `longer than /${longestAnnounced(family)}, the longest IPv${family} prefix accepted on the Internet`
    return [{ code: 'TOO_LONG', message }]
  }
  if (length > 0 && length < shortestAnnounced(family)) {
    const message = `shorter than /${shortestAnnounced(family)}, which exceeds any IPv${family} allocation`
    return [{ code: 'TOO_SHORT', message }]
  }
  return []
}
