import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CODE } from '../../drivers/hypervisor/libvirt/rpc/errors.ts'
import { FRAME_STATUS, FRAME_TYPE } from '../../drivers/hypervisor/libvirt/rpc/frame.ts'
import { PROCEDURES } from '../../drivers/hypervisor/libvirt/rpc/procedures.ts'
import { answerHandshake, errorBody, reply, startDaemon } from '../../drivers/hypervisor/libvirt/rpc/fake-libvirtd.ts'
import { XdrWriter } from '../../drivers/hypervisor/libvirt/rpc/xdr.ts'
import { readConfig } from '../../platform/config.ts'
import { edgeProbes, hypervisorProbes } from './hosts.ts'
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

describe('the check of an OpenBGPD', () => {
  const probes = async (conf: string) => {
    const directory = await mkdtemp(join(tmpdir(), 'lh-check-'))
    const main = join(directory, 'bgpd.conf')
    await writeFile(main, conf.replaceAll('DIRECTORY', directory))
    const given = { EDGE: 'openbgpd', EDGE_SOCKET: '/nonexistent/bgpd.sock', EDGE_DIRECTORY: directory }
    const config = readConfig({ ...given, EDGE_CONFIG: main }, 'test')
    try {
      const found = edgeProbes(config).map(async (probe) => [probe.name, await tryProbe(probe, 10_000)] as const)
      return Object.fromEntries(await Promise.all(found))
    } finally {
      await rm(directory, { recursive: true })
    }
  }

  it('fails when bgpd does not answer, and works when its configuration includes ours', async () => {
    const conf = 'include "DIRECTORY/live/policy.conf"\ninclude "DIRECTORY/live/customers.conf"\n'
    expect(await probes(conf)).toMatchObject({
      edge: { state: 'fails' },
      'edge files': { state: 'works' },
      'edge config': { state: 'works' },
    })
  })

  it('names the include that its configuration lacks, also when it is commented out', async () => {
    const conf = 'include "DIRECTORY/live/policy.conf"\n# include "DIRECTORY/live/customers.conf"\n'
    expect((await probes(conf))['edge config']).toMatchObject({
      state: 'fails',
      line: expect.stringContaining('live/customers.conf') as string,
    })
  })
})
