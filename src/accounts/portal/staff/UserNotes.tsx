import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { TextAreaField } from '../../../ui/components/Field.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { TableFilter } from '../../../ui/components/TableFilter.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { rereadStaff } from '../../../ui/staff/use-action.ts'
import { NOTE_MAX_LENGTH } from '../../policy.ts'
import { notesOf, staffAccounts } from './api.ts'

/** Lists the staff notes about a user, newest first. */
export function UserNotes({ userId }: { userId: number }) {
  const [adding, setAdding] = useState(false)
  const [search, setSearch] = useState('')
  const missingRole = useMissingRoleReason('support')
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    ...notesOf(userId, search.trim()),
    placeholderData: keepPreviousData,
  })
  const notes = data?.pages.flatMap((page) => page.notes) ?? []
  return (
    <Section
      title="Notes"
      summary="Visible to staff only. Notes can’t be changed or removed."
      actions={
        <Button icon="plus" disabledReason={missingRole} onClick={() => setAdding(true)}>
          Add note
        </Button>
      }
    >
      {(notes.length > 0 || search !== '') && (
        <div className="mb-2 flex">
          <TableFilter label="Search notes" value={search} onChange={setSearch} />
        </div>
      )}
      {!data && <TableSkeleton rows={1} />}
      {data && notes.length === 0 && (
        <p className="text-sm text-dim">{search === '' ? 'No notes yet.' : 'No note contains this text.'}</p>
      )}
      <ul aria-label="Notes" className="grid gap-2">
        {notes.map((note) => (
          <li key={note.id} className="rounded-md border border-line px-3 py-2.5">
            <p className="text-base wrap-anywhere whitespace-pre-wrap">{note.body}</p>
            <p className="mt-1 flex flex-wrap gap-x-2 text-sm text-dim">
              <span>{note.author.name}</span>
              <Time at={note.createdAt} />
            </p>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div className="mt-2">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older notes
          </Button>
        </div>
      )}
      {adding && <AddNote userId={userId} onClose={() => setAdding(false)} />}
    </Section>
  )
}

const AddNote = ({ userId, onClose }: { userId: number; onClose: () => void }) => (
  <FormDialog
    title="Add note"
    action="Add note"
    onClose={onClose}
    onSubmit={async (values, submission) => {
      const input = { params: { id: userId }, body: { body: values.text('body') } }
      await staffAccounts.call['POST /api/admin/users/{id}/notes'](input, submission)
      await rereadStaff()
    }}
  >
    <TextAreaField
      label="Note"
      name="body"
      rows={5}
      required
      maxLength={NOTE_MAX_LENGTH}
      hint="The customer doesn’t see it here. They can request it by law, so write what you would read out."
    />
  </FormDialog>
)
