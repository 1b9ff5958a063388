/** One portal with simulated machines and a simulated edge, and processes of `ROLE=hypervisor` or `ROLE=edge` beside it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startEmbedded, type EmbeddedDatabase } from '../src/platform/db/embedded.ts'
import { launchBrowser, openFor } from './browser.ts'
import { asSetting, startAgentProcess, type AgentProcess } from './agent-process.ts'
import { DEMO_PASSWORD, startProduct, type Product } from './product.ts'
import { signIn, type Caller } from './spec/api-client.ts'

const SHARED = {
  COMPUTE: 'simulated',
  EDGE: 'simulated',
  SECRET_KEY: 'one secret that all processes of this test have',
  OPERATOR_ASN: '64500',
}
/** Between the last sign of life and being taken for gone, and a sweep of the leader. */
export const MISSED_WITHIN_MS = 50_000

export interface AgentTestServer {
  readonly product: Product
  readonly browser: Browser
  readonly customer: Caller
  readonly staff: Caller
  /** Always on the same data folder: as the one before, started again. */
  startAgent(env: Readonly<Record<string, string>>): Promise<AgentProcess>
  /** A page at this path, signed in by hand. */
  enter(email: string, at: string): Promise<Page>
  /** Ends what was started, the newest first. */
  close(): Promise<void>
}

export async function openAgentTestServer(role: 'hypervisor' | 'edge'): Promise<AgentTestServer> {
  const scratch = await mkdtemp(path.join(tmpdir(), `longhaul-${role}s-`))
  const dataDir = path.join(scratch, 'first')
  const undo: (() => Promise<unknown>)[] = [() => rm(scratch, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step()
  }
  try {
    const product = await startProduct({ ...SHARED, LOG_LEVEL: 'warn' }, { dataDir })
    undo.push(() => product.stop())
    const database: EmbeddedDatabase = await startEmbedded({ dataDir })
    undo.push(() => database.stop())
    const browser = await launchBrowser()
    undo.push(() => browser.close())
    return {
      product,
      browser,
      customer: await signIn(product.url, 'customer'),
      staff: await signIn(product.url, 'staff'),
      async startAgent(env) {
        const agent = await startAgentProcess(role, {
          ...SHARED,
          ...env,
          DATA_DIR: path.join(scratch, 'second'),
          DATABASE_URL: asSetting(database.url),
        })
        undo.push(() => agent.end('SIGTERM'))
        return agent
      },
      async enter(email, at) {
        const { page } = await openFor(browser, product.url)
        await page.goto(`/login?redirect=${encodeURIComponent(at)}`)
        await page.getByLabel('Email').fill(email)
        await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.waitForURL(`**${at}`)
        return page
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
