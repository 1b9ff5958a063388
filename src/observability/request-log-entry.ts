/** What the developer bar shows of a request: shared by the server that keeps it and the browser that reads it. */

/** Snake case by the specification of the developer bar. */
export interface RequestLogEntry {
  id: string
  request_method: string
  request_path: string
  duration_milliseconds: number
  started_at: string
  sql_count: number
  sql_timings: SqlTiming[]
  root: TimingNode
}

export interface SqlTiming {
  id: string
  start_milliseconds: number
  duration_milliseconds: number
  formatted_command_string: string
}

export interface TimingNode {
  id: string
  name: string
  start_milliseconds: number
  duration_milliseconds: number
  children: TimingNode[]
}
