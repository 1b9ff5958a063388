/** What a booking books, from the name of its source: `invoice:12`, `settlement:13:12:1`. */
const WORDS: Readonly<Record<string, string>> = {
  invoice: 'Invoice or credit note',
  payment: 'Payment',
  settlement: 'Favour moved to another invoice',
  refund: 'Refund set aside',
  'refund-end': 'Refund paid out or taken back',
  'write-off': 'Written off',
  dispute: 'Dispute',
  'dispute-won': 'Dispute won',
}

export function bookingWords(source: string): string {
  const [kind = '', id = ''] = source.split(':')
  return `${WORDS[kind] ?? kind} ${id}`.trim()
}
