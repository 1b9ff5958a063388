import type { MachineView } from '../index.ts'
import { isOwn, toMachineState, type Host } from './host.ts'
import { readAllStats, STATS } from './rpc/stats.ts'

/** Lists all machines with one call that never contacts QEMU, so that a frozen one does not block it. */
export async function listMachines(host: Host): Promise<MachineView[]> {
  const connection = await host.control.get()
  const views: MachineView[] = []
  for (const { domain, fields } of await readAllStats(connection, STATS.state)) {
    if (!(await isOwn(host, connection, domain))) continue
    const state = toMachineState(
      host,
      domain.uuid,
      Number(fields.get('state.state')),
      Number(fields.get('state.reason')),
    )
    views.push({ uuid: domain.uuid, state })
  }
  return views
}
