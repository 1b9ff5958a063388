import type { z } from 'zod'
import { createClient } from '../../ui/runtime/client.ts'

interface Part {
  readonly kind: string
  readonly why: string
}

/** What the application root reports about its drivers; it is no slice and has no contract to import. */
type SystemApi = Readonly<
  Record<
    'GET /api/admin/system',
    {
      readonly summary: string
      readonly access: 'admin'
      readonly ok: readonly [200, z.ZodType<{ readonly compute: Part; readonly edge: Part; readonly dns: Part }>]
    }
  >
>

export const system = createClient<SystemApi>().query['GET /api/admin/system']
