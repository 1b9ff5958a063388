/** The data of an audit log entry, and how messages format it. */
import type { AuditEvent } from '../../contract.ts'

export type Data = AuditEvent['data']
export type EventMessage = string | ((data: Data) => string)

export const text = (data: Data, name: string): string => {
  const value = data[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export const because = (data: Data): string => (text(data, 'reason') ? `: ${text(data, 'reason')}` : '')
