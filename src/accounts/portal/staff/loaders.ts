/** What the staff's screens need before they are drawn: read while the pointer is still on its way to the link. */
import { notFound } from '@tanstack/react-router'
import { queryClient } from '../../../ui/live/query-client.ts'
import { newAsnVerification, staffMembers } from './api.ts'
import { load } from '../../../ui/graphql/client.ts'
import { UserDetail, UserList } from './user-documents.ts'
import { userListVariables, type UserType } from './user-list-variables.ts'
import { knownId } from '../../../ui/staff/known-id.ts'

export const loadStaff = () => queryClient.ensureQueryData(staffMembers())

export const loadUsers = (type: UserType | undefined, search?: string) =>
  load(UserList, userListVariables(type, search))

export async function loadUser(id: number) {
  const { user } = await load(UserDetail, { id: knownId(id) })
  if (!user) throw notFound()
}

export const loadNewAsnVerification = (id: number) => queryClient.ensureQueryData(newAsnVerification(knownId(id)))
