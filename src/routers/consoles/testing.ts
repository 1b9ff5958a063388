/** Tests what ends an open console, for machines of this process and of another host alike. */
import type { AccountId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import { expect, describe, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Principal } from '../../platform/http/principal.ts'
import type { createRoutersTestApp } from '../testing.ts'

interface Setting {
  readonly testApp: Awaited<ReturnType<typeof createRoutersTestApp>>
  readonly owner: { readonly id: number; readonly token: string }
  /** Returns the id of a new running router of the owner. */
  readonly running: () => Promise<number>
  readonly portal: () => string
}

interface Caller {
  readonly userId: number
  readonly routerId: number
  /** The session or token that opened the console. */
  readonly secret: string
}

export function consolesEndWithTheirAccess({ testApp, owner, running, portal }: Setting): void {
  let callers = 0

  /** Opens a console with its own session or API token, on its own router. */
  async function openAs(via: 'session' | 'token') {
    const number = 90_000 + ++callers
    const secret = `caller-${number}`
    const identity: Pick<Principal, 'via' | 'sessionId' | 'tokenId' | 'scopes'> =
      via === 'session'
        ? { via, sessionId: number, scopes: null }
        : { via, sessionId: null, tokenId: number, scopes: ['routers:write'] }
    testApp.sessions.set(secret, { ...testApp.sessions.get(owner.token)!, ...identity })
    const caller: Caller = { userId: owner.id, routerId: await running(), secret }
    const { body } = await testApp.call(secret, 'POST', `/api/virtual_machines/${caller.routerId}/serial`, {})
    const { pathname, search } = new URL(body.url)
    const socket = new WebSocket(`${portal().replace(/^http/, 'ws')}${pathname}${search}`, {
      origin: portal(),
      ...(via === 'session' && { headers: { cookie: `session=${secret}` } }),
    })
    let text = ''
    socket.on('message', (data: Buffer) => (text += data.toString()))
    const closed = new Promise<{ code: number; at: number }>((resolve) => {
      socket.once('close', (code) => resolve({ code, at: performance.now() }))
    })
    socket.once('open', () => socket.send('hostname\r'))
    await expect.poll(() => text, { timeout: 10_000 }).toContain('hostname')
    return { caller, closed }
  }

  const setRouter = (id: number, values: { desired_state?: 'absent'; suspended?: boolean; account_id?: AccountId }) =>
    testApp.db.updateTable('routers').set(values).where('id', '=', id).execute()

  /** Each cause and the event that it publishes. */
  const CAUSES: readonly {
    readonly what: string
    readonly via: 'session' | 'token'
    readonly event: 'user' | 'router'
    readonly happen: (caller: Caller) => unknown
  }[] = [
    {
      via: 'session',
      what: 'its session ends: by signing out, from elsewhere, or with a new password',
      event: 'user',
      happen: ({ secret }) => testApp.sessions.delete(secret),
    },
    {
      what: 'its API token is revoked',
      via: 'token',
      event: 'user',
      happen: ({ secret }) => testApp.sessions.delete(secret),
    },
    {
      via: 'session',
      what: 'its user loses the ASN verification',
      event: 'user',
      happen: ({ secret }) => {
        testApp.sessions.set(secret, { ...testApp.sessions.get(secret)!, asnVerifiedAt: null })
      },
    },
    {
      what: 'the router is deleted',
      via: 'session',
      event: 'router',
      happen: ({ routerId }) => setRouter(routerId, { desired_state: 'absent' }),
    },
    {
      via: 'session',
      what: 'the router is suspended',
      event: 'router',
      happen: ({ routerId }) => setRouter(routerId, { suspended: true }),
    },
    {
      via: 'session',
      what: 'the router belongs to somebody else',
      event: 'router',
      happen: async ({ routerId }) => setRouter(routerId, { account_id: accountIdOf((await testApp.addUser()).id) }),
    },
  ]

  describe('an open console', () => {
    it.each(CAUSES)('ends at once when $what', async ({ via, event, happen }) => {
      const { caller, closed } = await openAs(via)
      await happen(caller)
      const before = performance.now()
      const id = event === 'user' ? caller.userId : caller.routerId
      testApp.bus.receive(JSON.stringify({ type: event, id, accountId: accountIdOf(caller.userId) }))
      const { code, at } = await closed
      expect(code).toBe(1008)
      expect(at - before).toBeLessThan(3_000)
    })

    it('ends within 5 s for each of these causes when the event is lost', async () => {
      const open = await Promise.all(CAUSES.map(async (cause) => ({ cause, ...(await openAs(cause.via)) })))
      const ended = await Promise.all(
        open.map(async ({ cause, caller, closed }) => {
          await cause.happen(caller)
          const before = performance.now()
          const { code, at } = await closed
          return { what: cause.what, code, inTime: at - before < 5_000 }
        }),
      )
      // A deleted router may be shut down before its access is checked again: the machine then ends the console.
      const codes = (what: string) => (what === 'the router is deleted' ? [1001, 1008] : [1008])
      expect(ended.map(({ what, code, inTime }) => ({ what, ended: codes(what).includes(code) && inTime }))).toEqual(
        CAUSES.map(({ what }) => ({ what, ended: true })),
      )
    }, 60_000)

    it('stays open while nothing of this happens', async () => {
      const { closed } = await openAs('session')
      const still = new Promise<'open'>((resolve) => setTimeout(() => resolve('open'), 9_000))
      expect(await Promise.race([closed, still])).toBe('open')
    }, 60_000)
  })
}
