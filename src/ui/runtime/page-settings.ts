/** Settings that the server wrote into the page's head. */
const setting = (name: string, unset: string): string => {
  const value = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
  return value === '' || value.startsWith('%') ? unset : value
}

export const productName = setting('product-name', 'Longhaul')
/** The release that this page was built for; empty in development. */
export const release = setting('release', '')
/** Where the operator takes ideas and bugs; empty: by email. */
export const featureUrl = setting('feature-url', '')
/** The terms accepted at sign-up; empty where there are none. */
export const termsUrl = setting('terms-url', '')
export const supportEmail = setting('support-email', 'support@example.net')
