/** The API views of a downstream and of route objects. */
import { isAuthoritative } from '../../drivers/irr/index.ts'
import type { CheckResult } from '../contract.ts'
import type { IrrEvaluation } from '../prefixes/checks/check-results.ts'
import type { DownstreamEvidence } from './evidence.ts'

export const viewDownstream = ({
  set,
  member,
  consent,
}: DownstreamEvidence): NonNullable<CheckResult['downstream']> => ({
  set: {
    name: set.name,
    source: set.source,
    authoritative: set.source === null ? null : isAuthoritative(set.source),
    maintainers: [...set.maintainers],
    ownership: set.status,
    how: set.how,
  },
  member: member && { path: [...member.path], weak: member.weak },
  consent,
})

export const viewRouteObjects = (objects: IrrEvaluation['objects']): NonNullable<CheckResult['irr']>['objects'] =>
  objects.map((object) => ({ ...object, authoritative: isAuthoritative(object.source) }))
