/** `npm run build`: builds the portal into `dist/portal` when its sources have changed. The server needs no build. */
import { ensurePortal } from './portal.ts'

await ensurePortal(console.log)
