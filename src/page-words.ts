/** What the portal's page knows of the operator's own words before it asks for anything. */
import type { Db } from './platform/db/index.ts'
import type { PageWords } from './platform/http/portal.ts'
import type { Log } from './platform/log.ts'
import { readTexts } from './platform/operator-texts.ts'

/** While the database is away the page is served all the same, with what the settings say: it is what tells of that. */
export async function pageWords(db: Db, supportEmail: string, log: Log): Promise<PageWords> {
  try {
    const texts = await readTexts(db)
    return {
      supportEmail: texts.support_email ?? supportEmail,
      featureUrl: texts.feature_url ?? '',
      termsUrl: texts.terms_url ?? '',
    }
  } catch (error) {
    log.warn({ err: error }, "the operator's own words could not be read")
    return { supportEmail, featureUrl: '', termsUrl: '' }
  }
}
