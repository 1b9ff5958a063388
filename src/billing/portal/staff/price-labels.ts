/** Names of products and texts about their prices. */
import type { Price } from '../../contract.ts'
import type { Plan } from './api.ts'
import { moneyText } from './money-labels.ts'

export const ADDRESS_PRODUCTS = ['address:ipv4', 'address:ipv6'] as const

export const isOneOff = (product: string): boolean => /^(setup|fee):/.test(product)

/** A fee has the name of its newest version. */
export function productName(product: string, plans: readonly Plan[], prices: readonly Price[] = []): string {
  if (product === 'setup:transit') return 'Setup of IP transit'
  if (product.startsWith('setup:')) return `Setup of ${productName(product.slice('setup:'.length), plans)}`
  if (product.startsWith('fee:')) return prices.find((price) => price.product === product)?.name ?? product
  if (product === 'transit') return 'IP transit'
  if (product === 'address:ipv4') return 'IPv4 address'
  if (product === 'address:ipv6') return 'IPv6 address'
  const slug = product.replace(/^router:/, '')
  return plans.find((plan) => plan.slug === slug)?.name ?? slug
}

const MEGABIT = 1_000_000

/** Formats all amounts of a version in one line. */
export function priceText({ transit, oneOffPrice, hourlyPrice, monthlyPrice, currency }: Price): string {
  if (oneOffPrice !== null) return `${moneyText(oneOffPrice, currency)} once`
  if (!transit)
    return `${moneyText(hourlyPrice, currency)} per hour, ${moneyText(monthlyPrice, currency)} per month at most`
  const commit = `${transit.commitBps / MEGABIT} Mbit/s for ${moneyText(transit.commitPrice, currency)}`
  return `${commit}, then ${moneyText(transit.overagePrice, currency)} per Mbit/s`
}

export type PriceState = 'past' | 'now' | 'to come'

/** The latest version that has begun is current; the others are past or scheduled. */
export function stateOf(price: Price, all: readonly Price[], now = Date.now()): PriceState {
  const begins = Date.parse(price.effectiveFrom)
  if (begins > now) return 'to come'
  const later = all.some(
    (one) =>
      one.product === price.product &&
      one.currency === price.currency &&
      Date.parse(one.effectiveFrom) <= now &&
      Date.parse(one.effectiveFrom) > begins,
  )
  return later ? 'past' : 'now'
}

export const priceNow = (product: string, all: readonly Price[]): Price | undefined =>
  all.find((price) => price.product === product && stateOf(price, all) === 'now')
