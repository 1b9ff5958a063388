import { notify } from './notifications.ts'

/** Returns whether it was copied. Browsers refuse without permission, and on pages without HTTPS. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    notify({ type: 'error', title: 'Your browser refused to copy', body: 'Select the text and copy it.' })
    return false
  }
}
