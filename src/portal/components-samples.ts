import type { Stage } from './ui/StageList.tsx'
import type { Tone } from './ui/StatusBadge.tsx'

export interface SampleRouter {
  readonly name: string
  readonly state: string
  readonly tone: Tone
  readonly address: string
  readonly memory: number
  readonly traffic: readonly (number | null)[]
  readonly createdAt: string
}

const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString()
const wave = (phase: number) =>
  Array.from({ length: 40 }, (_, index) =>
    index === 20 && phase === 2 ? null : 4 + 3 * Math.sin(index / 4 + phase) + (index % 5) * 0.4,
  )

export const SAMPLE_ROUTERS: readonly SampleRouter[] = [
  {
    name: 'edge-1',
    state: 'Running',
    tone: 'ok',
    address: '203.0.113.12',
    memory: 2048,
    traffic: wave(0),
    createdAt: ago(40),
  },
  {
    name: 'edge-2',
    state: 'Starting',
    tone: 'busy',
    address: '203.0.113.13',
    memory: 1024,
    traffic: wave(1),
    createdAt: ago(190),
  },
  {
    name: 'edge-10',
    state: 'Failed',
    tone: 'bad',
    address: '203.0.113.21',
    memory: 4096,
    traffic: wave(2),
    createdAt: ago(86_400 * 3),
  },
  {
    name: 'lab',
    state: 'Stopped',
    tone: 'off',
    address: '2001:db8:100::a1:15',
    memory: 512,
    traffic: [],
    createdAt: ago(86_400 * 90),
  },
]

export const SAMPLE_STAGES: readonly Stage[] = [
  { id: 'requested', label: 'Requested', state: 'done', at: ago(86_400), summary: 'Originated by AS500010' },
  {
    id: 'rpki',
    label: 'RPKI',
    state: 'done',
    at: ago(86_000),
    summary: 'A ROA allows it (Valid, RFC 6811): 2d10:10::/32-48 AS500010',
    evidence: '2 of 2 VRPs match.',
  },
  {
    id: 'irr',
    label: 'IRR',
    state: 'attention',
    at: ago(86_000),
    summary: 'No route object',
    evidence: 'Create this object at your registry: route6: 2d10:10::/32, origin: AS500010.',
  },
  { id: 'staff', label: 'Staff', state: 'now', summary: 'Waits for staff' },
  { id: 'filter', label: 'Filter', state: 'waiting' },
  { id: 'received', label: 'Received', state: 'unknown', summary: 'The edge has not told for 3 minutes' },
  { id: 'accepted', label: 'Accepted', state: 'waiting' },
  { id: 'exported', label: 'Exported', state: 'waiting' },
]

export const TERMS = [
  { value: 'list', label: 'The price list' },
  { value: 'own', label: 'Own terms' },
]
