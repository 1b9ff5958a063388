/** A list of prefixes requested at once. Each line is accepted or refused on its own (decision 42). */
import type { AccountId } from '../../kernel/ids.ts'
import type { ParsedInput, Reply } from '../../kernel/endpoint.ts'
import { formatPrefix } from '../../kernel/prefix.ts'
import { invalid, type Problem } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inSavepoint, type Db } from '../../platform/db/index.ts'
import type { CheckProblem, TransitApi } from '../contract.ts'
import type { TransitWriter } from '../deps.ts'
import { readPolicy } from '../evidence/policy-store.ts'
import { DUPLICATE, validatePrefixValue } from './checks/prefix-rules.ts'
import { lockSpace, sizeProblem } from './prefix-ownership.ts'
import { requestPrefix, validatePrefixRequest } from './requests.ts'

type Body = ParsedInput<TransitApi['POST /api/transit_prefixes/bulk']>['body']
type Outcome = Reply<TransitApi['POST /api/transit_prefixes/bulk']>[number]

/**
 * Runs in the transaction of the request, which also claims its Idempotency-Key. A repeated request gets the same
 * answer and requests nothing twice.
 */
export async function requestPrefixes(
  deps: TransitWriter,
  db: Db,
  actor: Actor,
  accountId: AccountId,
  { values, ...rest }: Body,
): Promise<Outcome[]> {
  const wrong = await validatePrefixRequest(db, accountId, rest)
  if (wrong.length > 0) throw invalid(wrong)
  await lockSpace(db)
  const policy = await readPolicy(db)
  const seen = new Set<string>()
  const outcomes: Outcome[] = []
  for (const value of values) {
    const { prefix, problems } = validatePrefixValue(value)
    const text = prefix && formatPrefix(prefix)
    const refuse = (...found: readonly CheckProblem[]): unknown =>
      outcomes.push({ value, prefix: text, id: null, problems: [...found] })
    const size = prefix && sizeProblem(policy, prefix)
    if (!text || problems.length > 0) refuse(...problems)
    else if (seen.has(text)) refuse(DUPLICATE)
    else if (size) refuse({ code: 'TOO_SHORT', message: size })
    else {
      seen.add(text)
      const taken = await inSavepoint(db, () => requestPrefix(deps, db, actor, accountId, { ...rest, value }))
      if (typeof taken === 'number') outcomes.push({ value, prefix: text, id: taken, problems: [] })
      else refuse({ code: codeOf(taken), message: taken.errors?.[0]?.message ?? taken.detail })
    }
  }
  return outcomes
}

const codeOf = ({ code }: Problem): CheckProblem['code'] =>
  code === 'limit_reached' ? 'LIMIT' : code === 'too_many_requests' ? 'RATE' : 'HELD'
