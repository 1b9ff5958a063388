/**
 * The installation's own certificate authority for the links between portal and agents. The first process that needs
 * it creates it.
 */
import { createAuthority, type Authority } from '../../drivers/agent/certificates.ts'
import type { Db } from '../../platform/db/index.ts'
import { decrypt, encrypt } from '../../platform/encryption.ts'
import type { SecretKey } from '../../platform/secret-key.ts'
import './tables.ts'

export const AUTHORITY_PURPOSE = 'agent authority'

export async function readAuthority(db: Db, secretKey: SecretKey): Promise<Authority> {
  const find = () => db.selectFrom('agent_authority').select(['certificate', 'encrypted_key']).executeTakeFirst()
  const found = (await find()) ?? (await make(db, secretKey), await find())
  const { certificate, encrypted_key: sealed } = found!
  return { certificate, privateKey: decrypt(secretKey, AUTHORITY_PURPOSE, sealed).toString('utf8') }
}

/** If two processes create one at the same time, the first is kept. */
async function make(db: Db, secretKey: SecretKey): Promise<void> {
  const { certificate, privateKey } = await createAuthority()
  await db
    .insertInto('agent_authority')
    .values({ certificate, encrypted_key: encrypt(secretKey, AUTHORITY_PURPOSE, Buffer.from(privateKey)) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
