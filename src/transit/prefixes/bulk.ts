/** A list of prefixes requested in one call: each line is taken or refused by itself (decision 42). */
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

/** In the transaction of the call, which also claims its Idempotency-Key: repeated, it answers the same and requests nothing twice. */
export async function requestPrefixes(
  deps: TransitWriter,
  db: Db,
  actor: Actor,
  userId: number,
  { values, ...rest }: Body,
): Promise<Outcome[]> {
  const wrong = await validatePrefixRequest(db, userId, rest)
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
      const taken = await inSavepoint(db, () => requestPrefix(deps, db, actor, userId, { ...rest, value }))
      if (typeof taken === 'number') outcomes.push({ value, prefix: text, id: taken, problems: [] })
      else refuse({ code: codeOf(taken), message: taken.errors?.[0]?.message ?? taken.detail })
    }
  }
  return outcomes
}

const codeOf = ({ code }: Problem): CheckProblem['code'] =>
  code === 'limit_reached' ? 'LIMIT' : code === 'too_many_requests' ? 'RATE' : 'HELD'
