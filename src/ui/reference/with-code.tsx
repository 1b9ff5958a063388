import type { ReactNode } from 'react'

/** Renders a sentence of the document, with names in backticks as code. */
export const withCode = (text: string): ReactNode[] =>
  text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // The parts of a sentence never change order.
      // oxlint-disable-next-line react/no-array-index-key
      <code key={index} className="font-mono text-[0.92em]">
        {part}
      </code>
    ),
  )
