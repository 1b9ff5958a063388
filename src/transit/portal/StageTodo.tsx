import { Link } from '@tanstack/react-router'
import type { Stage } from '../contract.ts'
import { CARRIER_FIELD } from './RouterSelect.tsx'

/** Its owner can do what a stage waits for; staff are told that the owner has to. */
export type StageReader = 'owner' | 'staff'

const TODOS: Readonly<Record<NonNullable<Stage['todo']>, { readonly action: string; readonly field: string }>> = {
  CHOOSE_ROUTER: { action: 'select a router for the connection', field: CARRIER_FIELD },
}

/** What the customer has to do before a stage goes on, with the way to where it is done. */
export function StageTodo({ todo, reader }: { todo: NonNullable<Stage['todo']>; reader: StageReader }) {
  const { action, field } = TODOS[todo]
  if (reader === 'staff') return <>: the customer has to {action}</>
  return (
    <>
      :{' '}
      <Link to="/transit" hash={field} onClick={() => document.getElementById(field)?.focus()} className="link">
        {action}
      </Link>
    </>
  )
}
