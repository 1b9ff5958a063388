/** The disk under the data folder fills up while the portal is in use, and is freed again. */
import { execFile } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMailbox } from './crash/mailbox.ts'
import { TestUser } from './crash/user.ts'
import { DEMO_PASSWORD, startProduct, type Product } from './product.ts'

const run = promisify(execFile)
const PATIENCE = { timeout: 90_000, interval: 500 }
const PASSWORD = 'a long word for today'
const root = process.getuid?.() === 0

describe.skipIf(!root)(`a disk that is full${root ? '' : ' (skipped: mounting a small one needs root)'}`, () => {
  let disk: string
  let product: Product
  beforeAll(async () => {
    disk = await mkdtemp(path.join(tmpdir(), 'longhaul-disk-'))
    await run('mount', ['-t', 'tmpfs', '-o', 'size=360m,mode=755', 'longhaul-e2e', disk])
    const dataDir = path.join(disk, 'data')
    product = await startProduct({ COMPUTE: 'simulated', EDGE: 'simulated', LOG_LEVEL: 'silent' }, { dataDir })
  })
  afterAll(async () => {
    await product?.stop()
    await run('umount', [disk])
    await rm(disk, { recursive: true })
  })

  it('refuses in words what it cannot keep, loses nothing that it took, and continues once there is room', async () => {
    const filler = path.join(disk, 'filler')
    await fill(filler)
    const taken: string[] = []
    const refused: string[] = []
    for (let number = 0; number < 40; number++) {
      const email = `late-${number}@people.example`
      const { status, detail } = await signUpOnce(product.url, email)
      if (status === 202) {
        taken.push(email)
        continue
      }
      expect({ status, detail }).toEqual({ status: 503, detail: expect.stringMatching(/disk|away|unavailable/) })
      if (/nothing was changed/i.test(detail ?? '')) refused.push(email)
    }
    const mailbox = openMailbox(product.dataDir)
    const countEmails = (emails: readonly string[]): Promise<number[]> =>
      Promise.all(emails.map(async (email) => (await mailbox.emailsTo(email)).length))
    expect(taken).not.toEqual([])
    expect(refused).not.toEqual([])

    await rm(filler)
    await expect.poll(() => countEmails(taken), PATIENCE).toEqual(taken.map(() => 1))
    expect(await countEmails(refused)).toEqual(refused.map(() => 0))
    const user = new TestUser(product.url)
    for (const email of taken) {
      // The account exists, and its address is not verified yet.
      const response = await user.call('POST', '/api/session', { email, password: PASSWORD })
      expect(response).toMatchObject({ status: 403, body: { code: 'email_unverified' } })
    }
    await user.signIn('customer@example.net', DEMO_PASSWORD)
    await user.demand('PATCH', '/api/user', { firstName: 'Again' })
  }, 240_000)
})

/** Free bytes left: room for a few more sign-ups. */
const LEFT = 256 << 10

async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w')
  try {
    for (let size = 1 << 20; size >= 512; size >>= 1) {
      const block = Buffer.alloc(size)
      while (
        await handle.write(block).then(
          ({ bytesWritten }) => bytesWritten === size,
          () => false,
        )
      );
    }
    await handle.truncate((await handle.stat()).size - LEFT)
  } finally {
    await handle.close()
  }
}

/** Does not retry: the test is about the response at that moment. */
async function signUpOnce(url: string, email: string): Promise<{ status: number; detail: string | undefined }> {
  const body = JSON.stringify({ firstName: 'Late', lastName: 'Comer', email, password: PASSWORD })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/users`, { method: 'POST', headers, body })
  const text = await response.text()
  return { status: response.status, detail: text === '' ? undefined : (JSON.parse(text) as { detail: string }).detail }
}
