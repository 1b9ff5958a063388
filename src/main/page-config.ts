/** The operator's texts that are embedded in the page. */
import type { Db } from '../platform/db/index.ts'
import type { PageConfig } from '../platform/http/portal.ts'
import type { Log } from '../platform/log.ts'
import { readSiteContent } from '../platform/site-content.ts'

/**
 * While the database is unavailable this returns the defaults from the settings, so that the page can load and show the
 * outage.
 */
export async function readPageConfig(db: Db, supportEmail: string, log: Log): Promise<PageConfig> {
  try {
    const siteContent = await readSiteContent(db)
    return {
      supportEmail: siteContent.support_email ?? supportEmail,
      featureUrl: siteContent.feature_url ?? '',
      termsUrl: siteContent.terms_url ?? '',
    }
  } catch (error) {
    log.warn({ err: error }, "the operator's own words could not be read")
    return { supportEmail, featureUrl: '', termsUrl: '' }
  }
}
