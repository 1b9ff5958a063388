import type { ReactNode } from 'react'

/** A sentence of the document, in which names stand between backticks. */
export const withCode = (text: string): ReactNode[] =>
  text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // The parts of a sentence never change places.
      // oxlint-disable-next-line react/no-array-index-key
      <code key={index} className="font-mono text-[0.92em]">
        {part}
      </code>
    ),
  )
