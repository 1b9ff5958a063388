/** A portal with simulated machines and a simulated edge, and agents beside it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { findFreePort } from '../scripts/dev/free-port.ts'
import { launchBrowser, openFor } from './browser.ts'
import { startAgentProcess, type AgentProcess } from './agent-process.ts'
import { DEMO_PASSWORD, startProduct, type Product } from './product.ts'
import { signIn, type Caller } from './spec/api-client.ts'

const SHARED = { COMPUTE: 'simulated', EDGE: 'simulated', OPERATOR_ASN: '64500' }
/** The time from the last heartbeat until the agent counts as gone and the leader has noticed. */
export const MISSED_WITHIN_MS = 50_000

export interface AgentTestServer {
  readonly product: Product
  readonly browser: Browser
  readonly customer: Caller
  readonly staff: Caller
  /** Returns a token for this hypervisor's or edge's agent, created by staff. */
  tokenFor(slug: string): Promise<string>
  /** Always uses the same data folder, as a restart of the previous agent does. */
  startAgent(env: Readonly<Record<string, string>>): Promise<AgentProcess>
  /** Opens a page at this path and signs in with the form. */
  enter(email: string, at: string): Promise<Page>
  /** Ends everything that was started, newest first. */
  close(): Promise<void>
}

export async function openAgentTestServer(kind: 'hypervisor' | 'edge'): Promise<AgentTestServer> {
  const scratch = await mkdtemp(path.join(tmpdir(), `longhaul-${kind}s-`))
  const dataDir = path.join(scratch, 'first')
  const undo: (() => Promise<unknown>)[] = [() => rm(scratch, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step()
  }
  try {
    const listen = `127.0.0.1:${await findFreePort('127.0.0.1')}`
    // Sessions need routers; on a test's own host the demonstration's routers would be in the way.
    const demoRouters = kind === 'edge' ? 'on' : 'off'
    const product = await startProduct(
      { ...SHARED, LOG_LEVEL: 'warn', AGENT_LISTEN: listen, DEMO_ROUTERS: demoRouters },
      { dataDir },
    )
    undo.push(() => product.stop())
    const browser = await launchBrowser()
    undo.push(() => browser.close())
    const staff = await signIn(product.url, 'staff')
    return {
      product,
      browser,
      customer: await signIn(product.url, 'customer'),
      staff,
      tokenFor: async (slug) =>
        (await staff.must<{ token: string }>('POST', '/api/admin/agents/tokens', { kind, slug })).token,
      async startAgent(env) {
        const agent = await startAgentProcess({
          ...SHARED,
          AGENT_PORTALS: listen,
          ...env,
          DATA_DIR: path.join(scratch, 'second'),
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
