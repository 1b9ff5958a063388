const minutes = (value: number, label: string) => ({ value: String(value), label })

export const DRAIN_CHOICES = [
  minutes(15, '15 minutes'),
  minutes(60, '1 hour'),
  minutes(240, '4 hours'),
  minutes(1_440, '1 day'),
]

export const BLACKHOLE_CHOICES = [
  minutes(60, '1 hour'),
  minutes(240, '4 hours'),
  minutes(1_440, '1 day'),
  minutes(10_080, '7 days'),
]
