import { seal, unseal } from '../sealed.ts'
import type { AnswerSeal } from './idempotency.ts'

const PURPOSE = 'idempotent answer'

/** Keeps what was answered under the installation's key. */
export const sealAnswers = (secretKey: string): AnswerSeal => ({
  close: (answer) => seal(secretKey, PURPOSE, Buffer.from(JSON.stringify(answer ?? null))).toString('base64'),
  open: (sealed) => JSON.parse(unseal(secretKey, PURPOSE, Buffer.from(sealed, 'base64')).toString('utf8')) as unknown,
})
