/**
 * A product for the test files of the specification, one for each worker: simulated machines and edge, the accounts of
 * the demonstration.
 */
import type { TestProject } from 'vitest/node'
import { startProduct, type Product } from '../product.ts'
import { signIn } from './api-client.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** In the order of their workers. */
    testServers: readonly TestServer[]
  }
}

export interface TestServer {
  readonly url: string
  readonly dataDir: string
  /** A router of the demonstration's customer. */
  readonly router: { readonly id: number; readonly name: string }
  readonly prefixId: number
  /** The path of a letter of authorization for one of the customer's prefixes. */
  readonly loaPath: string
  readonly invoiceId: number
  readonly customerId: number
  readonly newcomerId: number
  readonly hypervisorId: number
}

interface Things {
  readonly users: { readonly nodes: readonly { readonly databaseId: number; readonly email: string }[] }
  readonly hypervisors: readonly { readonly databaseId: number }[]
}

export default async function openTestServers(project: TestProject): Promise<() => Promise<void>> {
  const workers = Array.from({ length: project.config.maxWorkers })
  const started = await Promise.allSettled(workers.map(() => startProduct({ COMPUTE: 'simulated', EDGE: 'simulated' })))
  const products = started.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const stop = async (): Promise<void> => {
    await Promise.all(products.map((product) => product.stop()))
  }
  try {
    for (const start of started) if (start.status === 'rejected') throw start.reason
    project.provide('testServers', await Promise.all(products.map(testServerOf)))
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

const testServerOf = async ({ url, dataDir }: Product): Promise<TestServer> => ({
  url,
  dataDir,
  ...(await findThings(url)),
})

async function findThings(url: string): Promise<Omit<TestServer, 'url' | 'dataDir'>> {
  const staff = await signIn(url, 'staff')
  const customer = await signIn(url, 'customer')
  const { users, hypervisors } = await staff.graphql<Things>(
    '{ users { nodes { databaseId email } } hypervisors { databaseId } }',
  )
  const idOf = (email: string) => users.nodes.find((user) => user.email === email)!.databaseId
  const router = await customer.until<{ id: number; name: string; state: string }[]>(
    '/api/virtual_machines',
    ([first]) => first?.state === 'RUNNING',
  )
  const [prefix] = await customer.until<{ id: number; rpkiStatus: string }[]>('/api/transit_prefixes', (prefixes) =>
    prefixes.every(({ rpkiStatus }) => rpkiStatus !== 'UNKNOWN'),
  )
  const signable = await customer.must<{ id: number; status: string }[]>('GET', '/api/transit_prefixes')
  const { id } = signable.find(({ status }) => status === 'APPROVED')!
  const { textDigest } = await customer.must<{ textDigest: string }>('GET', `/api/transit_prefixes/${id}/loas/new`)
  const signatory = { name: 'Ada Lovelace', title: 'Head of Network' }
  const { verifyUrl } = await customer.must<{ verifyUrl: string }>('POST', `/api/transit_prefixes/${id}/loas`, {
    ...signatory,
    textDigest,
  })
  const [invoice] = await customer.until<{ id: number }[]>('/api/invoices', (invoices) => invoices.length > 0)
  return {
    router: { id: router[0]!.id, name: router[0]!.name },
    prefixId: prefix!.id,
    loaPath: new URL(verifyUrl).pathname,
    invoiceId: invoice!.id,
    customerId: idOf('customer@example.net'),
    newcomerId: idOf('newcomer@example.net'),
    hypervisorId: hypervisors[0]!.databaseId,
  }
}
