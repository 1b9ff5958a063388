/** Tests steps on a machine that starts or ends between two of their calls. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { Hypervisor } from '../index.ts'
import { createLibvirt } from './index.ts'
import { DOMAIN_STATE, writeDomain } from './rpc/domains.ts'
import { CODE } from './rpc/errors.ts'
import { FRAME_STATUS, FRAME_TYPE } from './rpc/frame.ts'
import { PROCEDURES } from './rpc/procedures.ts'
import { errorBody, reply, startDaemon, type FakeLibvirtd } from './rpc/fake-libvirtd.ts'
import { XdrWriter } from './rpc/xdr.ts'

const RUNNING = 1
const OFF_ID = -1
const uuid = randomUUID()
const name = 'lh-test-machine'

/** A libvirtd with one machine. `answering` runs between a call and its answer, and may change the machine or wait. */
class OneMachine {
  /** Increases with every start, as libvirt's does. */
  id = 7
  starts = 7
  running = true
  /** The boot that each call affected, by the machine's number when the call was carried out. */
  readonly done: { call: string; boot: number }[] = []
  answering: (call: string) => void | Promise<void> = () => {}
  endedBy = 0
  #daemon: FakeLibvirtd | undefined
  #hypervisor: Hypervisor | undefined

  start(): void {
    this.starts += 1
    this.id = this.starts
    this.running = true
  }

  end(reason = 1): void {
    this.id = OFF_ID
    this.running = false
    this.endedBy = reason
  }

  async open(): Promise<Hypervisor> {
    this.#daemon = await startDaemon((call, socket) => {
      const known = Object.entries(PROCEDURES).find(([, { number }]) => number === call.procedure)?.[0]
      if (call.type !== FRAME_TYPE.call || known === undefined) return null
      void (async () => {
        const body = this.#carryOut(known)
        await this.answering(known)
        const status = body === null ? FRAME_STATUS.error : FRAME_STATUS.ok
        const denial = errorBody(CODE.invalidState, 'Requested operation is not valid: domain is not running')
        socket.write(reply(call, body ?? denial, FRAME_TYPE.reply, status))
      })()
      return null
    })
    this.#hypervisor = createLibvirt({
      socket: this.#daemon.path,
      instance: 'test',
      poolDirectory: '/nonexistent',
      imageDirectory: '/nonexistent',
      bridge: null,
    })
    return this.#hypervisor
  }

  async close(): Promise<void> {
    await this.#hypervisor?.close()
    await this.#daemon?.[Symbol.asyncDispose]()
  }

  #carryOut(call: string): Buffer | null {
    switch (call) {
      case 'domainLookup':
        return writeDomain(new XdrWriter(), { name, uuid, id: this.id }).finish()
      case 'domainXml':
        return new XdrWriter()
          .string(
            `<domain><metadata><lh:machine xmlns:lh='urn:longhaul:machine:1' instance='test' label='m' digest='d' diskSize='1'/></metadata></domain>`,
          )
          .finish()
      case 'domainState':
        return new XdrWriter()
          .int(this.running ? RUNNING : DOMAIN_STATE.off)
          .int(this.running ? 1 : this.endedBy)
          .finish()
      case 'domainStart':
        if (this.running) return null
        this.start()
        break
      case 'domainShutdown':
      case 'domainReset':
      case 'domainDestroy':
        if (!this.running) return null
        this.done.push({ call, boot: this.id })
        if (call === 'domainDestroy') this.end(2)
        break
    }
    return new XdrWriter().int(0).finish()
  }
}

describe('a step on a machine of libvirt', () => {
  let machine = new OneMachine()
  afterEach(async () => {
    await machine.close()
    machine = new OneMachine()
  })

  it('ends a shutdown when the machine was started again between two looks, and leaves the new boot alone', async () => {
    const hypervisor = await machine.open()
    machine.answering = (call) => {
      if (call !== 'domainShutdown') return
      machine.end()
      machine.start()
    }
    await hypervisor.stop(uuid, { mode: 'graceful', deadlineMs: 1_500 })
    expect(machine.done).toEqual([{ call: 'domainShutdown', boot: 7 }])
    expect(machine).toMatchObject({ running: true, id: 8 })
  })

  it('never asks a boot to shut down that began after the look at the one before', async () => {
    const hypervisor = await machine.open()
    const startArrived = Promise.withResolvers<void>()
    let starting: Promise<void> | undefined
    machine.answering = async (call) => {
      if (call === 'domainStart') startArrived.resolve()
      if (call !== 'domainState' || starting !== undefined) return
      // The check has seen boot 7. Before the driver reads the result, that boot ends and the machine is started again.
      machine.end()
      starting = hypervisor.start(uuid)
      await Promise.race([startArrived.promise, sleep(300)])
    }
    await hypervisor.stop(uuid, { mode: 'graceful', deadlineMs: 1_500 })
    await starting
    expect(machine).toMatchObject({ running: true, id: 8 })
    expect(machine.done).toEqual([])
  })

  it('forces at the deadline the boot that it was asked to end', async () => {
    const hypervisor = await machine.open()
    await hypervisor.stop(uuid, { mode: 'graceful', deadlineMs: 300 })
    expect(machine.done.at(-1)).toEqual({ call: 'domainDestroy', boot: 7 })
  })

  it('gives a shutdown up when its caller does: no further request and no force at the deadline', async () => {
    const hypervisor = await machine.open()
    const caller = new AbortController()
    machine.answering = (call) => {
      if (call === 'domainShutdown') caller.abort()
    }
    await hypervisor.stop(uuid, { mode: 'graceful', deadlineMs: 600, signal: caller.signal })
    await sleep(800)
    expect(machine.done).toEqual([{ call: 'domainShutdown', boot: 7 }])
  })

  it('gets past a start that hangs when it is to force', async () => {
    machine.end()
    const hypervisor = await machine.open()
    const release = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    machine.answering = async (call) => {
      if (call !== 'domainStart') return
      arrived.resolve()
      await release.promise
    }
    const starting = hypervisor.start(uuid).catch(() => undefined)
    await arrived.promise
    await hypervisor.stop(uuid, { mode: 'force' })
    expect(machine.done).toEqual([{ call: 'domainDestroy', boot: 8 }])
    release.resolve()
    await starting
  })

  it.each([
    ['the guest shut down', 1, 'guest'],
    ['the host destroyed the machine', 2, 'host'],
    ['libvirt does not know, as it was restarted meanwhile', 0, 'host'],
  ])('tells who ended the last boot: %s', async (_what, reason, by) => {
    const hypervisor = await machine.open()
    machine.end(reason)
    expect(await hypervisor.endedBy(uuid)).toBe(by)
  })
})
