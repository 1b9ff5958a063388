import { lazy, Suspense, useEffect, useState } from 'react'
import { Spinner } from '../components/Spinner.tsx'

export const loadNotAnswering = () => import('./NotAnswering.tsx')
const NotAnswering = lazy(loadNotAnswering)

/** Longer than any of our reads takes: after this long the user wants an explanation. */
const PATIENCE_MS = 5_000

/** The skeleton of a page while its data load; after a while, a message that they do not arrive. */
export function PendingScreen() {
  const [patient, setPatient] = useState(true)
  useEffect(() => {
    if (!patient) return
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [patient])
  if (patient) return <Shape />
  return (
    <Suspense fallback={<Shape />}>
      <NotAnswering onRetry={() => setPatient(true)} />
    </Suspense>
  )
}

const LINE = 'block animate-pulse rounded-sm bg-hover motion-reduce:animate-none'
const Shape = () => (
  <output className="grid gap-6 text-dim">
    <span className="flex items-center gap-3">
      <span className={`${LINE} h-6 w-44`} />
      <Spinner size={16} />
      <span className="sr-only">Loading</span>
    </span>
    <span aria-hidden className="grid gap-3.5">
      <span className={`${LINE} h-9`} />
      <span className={`${LINE} h-9 w-11/12`} />
      <span className={`${LINE} h-9 w-4/5`} />
    </span>
  </output>
)
