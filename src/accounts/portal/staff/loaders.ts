/** Loads the data of staff pages before they render, as soon as the pointer is over the link. */
import { notFound } from '@tanstack/react-router'
import { queryClient } from '../../../ui/live/query-client.ts'
import { newAsnVerification, secondFactorResetsOf, staffMembers, suspensionsOf } from './api.ts'
import { load } from '../../../ui/graphql/client.ts'
import { UserDetail, UserList } from './user-documents.ts'
import { readSort } from '../../../ui/table/sort-text.ts'
import { USER_SORT_COLUMNS, userListVariables, type UserType } from './user-list-variables.ts'
import { knownId } from '../../../ui/staff/known-id.ts'

export const loadStaff = () => queryClient.ensureQueryData(staffMembers())

export const loadUsers = (type: UserType | undefined, { search, sort }: { search?: string; sort?: string }) =>
  load(UserList, userListVariables(type, search, readSort(sort, USER_SORT_COLUMNS)))

export async function loadUser(id: number) {
  // Loaded with the rest, so that the notices have their place from the first render.
  const [{ user }] = await Promise.all([
    load(UserDetail, { id: knownId(id) }),
    queryClient.ensureQueryData(suspensionsOf(knownId(id))).catch(() => undefined),
    queryClient.ensureQueryData(secondFactorResetsOf(knownId(id))).catch(() => undefined),
  ])
  if (!user) throw notFound()
}

export const loadNewAsnVerification = (id: number) => queryClient.ensureQueryData(newAsnVerification(knownId(id)))
