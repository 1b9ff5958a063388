import { describe, expect, it } from 'vitest'
import { CODE } from '../../drivers/hypervisor/libvirt/rpc/errors.ts'
import { FRAME_STATUS, FRAME_TYPE } from '../../drivers/hypervisor/libvirt/rpc/frame.ts'
import { PROCEDURES } from '../../drivers/hypervisor/libvirt/rpc/procedures.ts'
import { answerHandshake, errorBody, reply, startDaemon } from '../../drivers/hypervisor/libvirt/rpc/fake-libvirtd.ts'
import { XdrWriter } from '../../drivers/hypervisor/libvirt/rpc/xdr.ts'
import { readConfig } from '../../platform/config.ts'
import { hypervisorProbes } from './hosts.ts'
import { tryProbe } from './probe.ts'

async function findLibvirt(socket: string) {
  const config = readConfig({ COMPUTE: 'libvirt', LIBVIRT_BRIDGE: 'br0', LIBVIRT_SOCKET: socket }, 'test')
  const probe = hypervisorProbes(config).find(({ name }) => name === 'libvirt')
  return tryProbe(probe!, 10_000)
}

describe('the check of libvirt', () => {
  it('works when libvirtd opens qemu:///system, and names the versions', async () => {
    await using daemon = await startDaemon(() => new XdrWriter().uhyper(9_000_000n).finish())
    const finding = await findLibvirt(daemon.path)
    expect(finding).toMatchObject({ state: 'works', line: expect.stringContaining('libvirt 9.0.0') })
  })

  it("fails with libvirt's own words when libvirtd takes the connection and refuses to open it", async () => {
    await using daemon = await startDaemon(
      () => null,
      (call, socket) => {
        if (call.procedure !== PROCEDURES.open.number) return answerHandshake(call)
        const denial = errorBody(CODE.authRefused, 'authentication failed: access denied by policy')
        socket.write(reply(call, denial, FRAME_TYPE.reply, FRAME_STATUS.error))
        return null
      },
    )
    const finding = await findLibvirt(daemon.path)
    expect(finding).toMatchObject({ state: 'fails', line: expect.stringContaining('access denied by policy') })
  })

  it('fails when nothing listens', async () => {
    expect(await findLibvirt('/nonexistent/libvirt-sock')).toMatchObject({ state: 'fails' })
  })
})
