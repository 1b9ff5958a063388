/** What the server wrote into the page's head for the browser to know. */
const setting = (name: string, unset: string): string => {
  const value = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
  return value === '' || value.startsWith('%') ? unset : value
}

export const productName = setting('product-name', 'Longhaul')
/** The release that this page was built for; empty while developing. */
export const release = setting('release', '')
export const supportEmail = setting('support-email', 'support@example.net')
