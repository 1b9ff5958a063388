import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { EmptyState } from '../../ui/components/EmptyState.tsx'
import { catalogue } from './api.ts'
import { cheapestRouter } from './prices.ts'

const FIRST_STEPS = [
  {
    title: 'Create a router',
    text: 'Choose a site and a size. It boots with BIRD 2, SSH, IPv4 and IPv6.',
  },
  { title: 'Select it under IP Transit', text: 'Both BGP sessions with our edge are configured automatically.' },
  { title: 'Request your prefixes', text: 'We check RPKI and the IRR while you type and show what to fix.' },
]

/** The empty state: what a router is, what it costs, and the three steps from here to announced space. */
export default function NoRouters() {
  const { data } = useQuery(catalogue())
  return (
    <EmptyState
      icon="router"
      title="No routers yet"
      action={
        <Link to="/routers/new" className={buttonClass('primary')}>
          Create your first router
        </Link>
      }
    >
      <p>
        A router is your virtual machine next to our edge. It runs BGP with us and announces your prefixes.
        {/* The line keeps its height while the price loads. */}
        <span className="block min-h-5.5">{data && cheapestRouter(data)}</span>
      </p>
      <ol className="mx-auto mt-5 grid gap-px overflow-hidden rounded-md border border-line bg-line text-left sm:grid-cols-3">
        {FIRST_STEPS.map((step, index) => (
          <li key={step.title} className="bg-surface p-3">
            <p className="text-sm font-semibold text-ink">
              <span className="num mr-1.5 text-faint">{index + 1}</span>
              {step.title}
            </p>
            <p className="mt-0.5 text-sm">{step.text}</p>
          </li>
        ))}
      </ol>
    </EmptyState>
  )
}
