export interface LeasesTable {
  key: string
  holder: string
  epoch: number
  process: string
  acquired_at: Date
  renewed_at: Date
  expires_at: Date
}

declare module '../db/index.ts' {
  interface Tables {
    leases: LeasesTable
  }
}
