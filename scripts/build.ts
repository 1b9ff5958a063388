/** `npm run build`: the portal, into `dist/portal`, when its sources have changed. The server runs as it stands. */
import { ensurePortal } from './portal.ts'

await ensurePortal(console.log)
