import type { ReactNode } from 'react'
import { Section } from '../components/PageHeader.tsx'
import { SectionErrorBoundary } from './SectionErrorBoundary.tsx'

export interface SectionHead {
  readonly title: string
  readonly summary?: ReactNode
  readonly actions?: ReactNode
}

/** A section that requests its own data: its heading is shown at once, and its content loads and fails alone. */
export const LoadedSection = ({
  head,
  loading,
  children,
}: {
  head: SectionHead
  loading: ReactNode
  children: ReactNode
}) => (
  <SectionErrorBoundary loading={loading} frame={(content) => <Section {...head}>{content}</Section>}>
    {children}
  </SectionErrorBoundary>
)
