import { Link } from '@tanstack/react-router'
import type { Stage } from '../contract.ts'
import { CARRIER_FIELD } from './RouterSelect.tsx'

/** The owner can act on what a stage waits for. Staff read that the owner has to. */
export type StageReader = 'owner' | 'staff'

const TODOS: Readonly<Record<NonNullable<Stage['todo']>, { readonly action: string; readonly field: string }>> = {
  CHOOSE_ROUTER: { action: 'select a router for the connection', field: CARRIER_FIELD },
}

/** The customer's action that a stage waits for, with a link to where it is done. */
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
