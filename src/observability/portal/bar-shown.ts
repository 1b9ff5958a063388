import { createStoredFlag } from './stored-flag.ts'

export const barShown = createStoredFlag('developer-bar')
