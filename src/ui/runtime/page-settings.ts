/** What the server wrote into the page's head for the browser to know. */
const setting = (name: string, unset: string): string => {
  const value = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
  return value === '' || value.startsWith('%') ? unset : value
}

export const productName = setting('product-name', 'Longhaul')
/** The release that this page was built for; empty while developing. */
export const release = setting('release', '')
/** Where the operator takes ideas and bugs; empty: by letter. */
export const featureUrl = setting('feature-url', '')
/** The terms that signing up agrees to; empty where there are none. */
export const termsUrl = setting('terms-url', '')
export const supportEmail = setting('support-email', 'support@example.net')
