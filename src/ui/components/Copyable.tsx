import { useState, type ReactNode } from 'react'
import { copyText } from '../runtime/clipboard.ts'
import { IconButton } from './Button.tsx'

/** Copies and confirms it, by its icon and by a status for screen readers. */
export function CopyButton({ text, label = 'Copy', className }: { text: string; label?: string; className?: string }) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    if (!(await copyText(text))) return
    setDone(true)
    setTimeout(() => setDone(false), 1_600)
  }
  return (
    <>
      <IconButton
        icon={done ? 'check' : 'copy'}
        label={label}
        // The touch target is larger than the icon, so that rows keep their height.
        className={`size-6 pointer-coarse:min-h-6! pointer-coarse:min-w-6! pointer-coarse:after:absolute pointer-coarse:after:-inset-2 ${done ? 'text-ok' : ''} ${className ?? ''}`}
        onClick={() => void copy()}
      />
      <output className="sr-only">{done && 'Copied'}</output>
    </>
  )
}

/** A prefix, an address or a key: monospaced, in full, with a copy button. */
export function Copyable({ value, children, what }: { value: string; children?: ReactNode; what?: string }) {
  return (
    <span className="group/copy inline-flex max-w-full items-center gap-0.5">
      {/* In a table row, an address on two lines looks like two numbers. */}
      <span className="num min-w-0 font-mono text-[0.92em] wrap-anywhere in-[td]:@list:whitespace-nowrap">
        {children ?? value}
      </span>
      <CopyButton
        text={value}
        label={`Copy ${what ?? value}`}
        className="relative z-1 opacity-60 group-hover/copy:opacity-100 focus-visible:opacity-100"
      />
    </span>
  )
}
