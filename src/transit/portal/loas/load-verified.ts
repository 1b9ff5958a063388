import { createClient } from '../../../ui/runtime/client.ts'
import { HttpFailure } from '../../../ui/runtime/http-failure.ts'
import type { TransitApi, VerifiedLoa } from '../../contract.ts'

const { call } = createClient<Pick<TransitApi, 'GET /api/loas/{code}'>>({})

/** Returns why it could not be verified, so that the page can explain it. */
export async function loadVerifiedLoa(code: string): Promise<VerifiedLoa | { readonly failure: HttpFailure }> {
  try {
    return await call['GET /api/loas/{code}']({ params: { code } }, { notify: () => false })
  } catch (error) {
    if (error instanceof HttpFailure && (error.status === 404 || error.status === 429)) return { failure: error }
    throw error
  }
}
