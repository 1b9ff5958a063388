/**
 * The ids of users and of accounts are both numbers, and often the same number. Distinct types keep one from being passed
 * for the other (decision 58).
 */
declare const user: unique symbol
declare const account: unique symbol

/** A user signs in and acts. */
export type UserId = number & { readonly [user]: true }

/** An account owns routers, prefixes, an ASN and money. */
export type AccountId = number & { readonly [account]: true }
