import { Connection } from './rpc/connection.ts'
import { readVersions } from './rpc/stats.ts'

/** Authenticates, opens `qemu:///system` and returns the versions. Throws libvirt's own message if it refuses. */
export async function tryLibvirt(socket: string): Promise<string> {
  const connection = await Connection.open(socket)
  try {
    const { libvirt, qemu } = await readVersions(connection)
    return `libvirt ${libvirt}, QEMU ${qemu}`
  } finally {
    connection.close()
  }
}
