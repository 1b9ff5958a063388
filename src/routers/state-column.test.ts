import { accountIdOf } from '../platform/db/testing.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MachineState } from '../drivers/hypervisor/index.ts'
import { TASKS, DESIRED_STATES } from './states.ts'
import { createRoutersTestApp } from './testing.ts'
import { stateOf, type StateRow } from './view.ts'

const OBSERVED: readonly MachineState[] = [
  'absent',
  'off',
  'starting',
  'running',
  'paused',
  'stopping',
  'crashed',
  'unknown',
]

test('the state that lists are filtered by is the one that people see, whatever the facts', async () => {
  const testApp = await createRoutersTestApp()
  const { db } = testApp
  const { id } = await testApp.addUser()
  await sql`
    insert into routers (account_id, name, site_id, hypervisor_id, plan_id, image_id, cpus, memory, disk_size,
      desired_state, suspended, task, task_phase, observed, ready_at, reachable_at, failure)
    select ${accountIdOf(id)}, 'r' || row_number() over (), h.site_id, h.id, (select min(id) from plans), (select min(id) from images), 1, 128, 1,
      desired_state, suspended, nullif(task, ''), case when task <> '' then 'down' end, observed,
      case when ready then now() end, case when created then now() end, case when failed then 'broken' end
    from hypervisors h, unnest(${DESIRED_STATES as unknown as string[]}::text[]) desired_state, unnest(array[true, false]) suspended,
      unnest(${['', ...TASKS]}::text[]) task, unnest(${OBSERVED as string[]}::text[]) observed,
      unnest(array[true, false]) ready, unnest(array[true, false]) created, unnest(array[true, false]) failed`.execute(
    db,
  )
  const rows = await db.selectFrom('routers').selectAll().execute()
  expect(rows).toHaveLength(DESIRED_STATES.length * 2 * (TASKS.length + 1) * OBSERVED.length * 8)
  const wrong = rows.filter((row) => row.state !== stateOf(row as StateRow))
  expect(wrong).toEqual([])
  expect(new Set(rows.map((row) => row.state)).size).toBeGreaterThan(9)
})
