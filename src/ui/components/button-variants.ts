import { cx } from './class-names.ts'

/** One primary button per page: what most users came to do. */
export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger' | 'risk'
export type ButtonSize = 'md' | 'sm'

const BASE =
  'relative inline-flex items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap select-none transition-colors duration-100 aria-disabled:opacity-55 pointer-coarse:min-h-10'
const SIZES: Record<ButtonSize, string> = { md: 'h-8 px-3 text-sm', sm: 'h-7 px-2.5 text-xs' }
const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-accent-fill text-white not-aria-disabled:hover:bg-accent-fill-hover',
  plain:
    'border border-line-strong bg-surface text-ink not-aria-disabled:hover:bg-hover not-aria-disabled:hover:border-edge',
  quiet: 'text-dim not-aria-disabled:hover:bg-hover not-aria-disabled:hover:text-ink',
  danger: 'bg-bad-fill text-white not-aria-disabled:hover:bg-bad-fill-hover',
  // Leads to the confirmation before the action. Its red text says what it is about without dominating every page.
  risk: 'border border-bad/40 bg-surface text-bad not-aria-disabled:hover:bg-bad-soft',
}

/** The same style for what is not a button, such as a router link. */
export const buttonClass = (variant: ButtonVariant = 'plain', size: ButtonSize = 'md', extra?: string): string =>
  cx(BASE, SIZES[size], VARIANTS[variant], extra)
