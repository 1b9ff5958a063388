export interface LeasesTable {
  key: string
  holder: string
  epoch: number
  process: string
  acquired_at: Date
  renewed_at: Date
  expires_at: Date
}

declare module '../db/tables.ts' {
  interface Tables {
    leases: LeasesTable
  }
}
