/** The data that the developer bar shows about a request, shared by the server and the browser. */

/** Snake case, as the developer bar's specification requires. */
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
