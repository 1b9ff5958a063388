/**
 * Stripe's script, which must be loaded from Stripe (PCI DSS SAQ A): card numbers go from its frame directly to
 * Stripe.
 */

export interface StripeElements {
  create(
    type: 'payment',
    options?: object,
  ): { mount(place: HTMLElement): void; on(event: 'ready', notifyWatcher: () => void): void }
}

export interface StripeClient {
  elements(options: { clientSecret: string; appearance: object }): StripeElements
  confirmSetup(options: {
    elements: StripeElements
    redirect: 'if_required'
    confirmParams: { return_url: string }
  }): Promise<{ error?: { message?: string }; setupIntent?: { id: string } }>
  /** Opens the bank's page on top of ours (3-D Secure) and resolves when the cardholder is done. */
  confirmCardPayment(clientSecret: string): Promise<{ error?: { message?: string } }>
}

const SOURCE = 'https://js.stripe.com/v3/'

let loading: Promise<(key: string) => StripeClient> | null = null

/** Loads the script once, when the first card is about to be entered. */
export function loadStripe(): Promise<(key: string) => StripeClient> {
  loading ??= new Promise<(key: string) => StripeClient>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = SOURCE
    script.async = true
    script.addEventListener('load', () => {
      const make: unknown = Reflect.get(window, 'Stripe')
      if (typeof make === 'function') resolve(make as (key: string) => StripeClient)
      else reject(new Error('the script of Stripe brought nothing'))
    })
    script.addEventListener('error', () => reject(new Error('the script of Stripe did not load')))
    document.head.append(script)
  })
  // Lets a later attempt succeed after a failed one.
  loading.catch(() => {
    loading = null
  })
  return loading
}
