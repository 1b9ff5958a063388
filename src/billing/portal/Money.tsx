import { cx } from '../../ui/components/class-names.ts'
import { money } from './billing-labels.ts'

interface MoneyProps {
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  /** Zero is dimmer, because it needs no attention. */
  readonly zeroFaint?: boolean
}

/** An amount in a table or a sentence. */
export const Money = ({ amount, currency, zeroFaint }: MoneyProps) => (
  <span className={cx('num whitespace-nowrap', zeroFaint && amount === 0 && 'text-faint')}>
    {money(amount, currency)}
  </span>
)
