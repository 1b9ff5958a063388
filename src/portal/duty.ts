import { dutyRefusal, type Duty } from '../kernel/duty.ts'
import { useUser } from './session.ts'

/** Why whoever is signed in may not do what is this duty, as the server would say it; null when they may. */
export const useDutyRefusal = (duty: Duty): string | null => dutyRefusal(useUser()?.roles ?? [], duty)
