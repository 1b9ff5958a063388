/**
 * Makes the server end the sessions of clients that vanished. After 5 s of silence it sends three probes 2 s apart. It
 * waits at most 10 s (in milliseconds) for unacknowledged data. Most systems default to two hours. It has no effect on
 * a Unix socket.
 */
export const DEAD_PEERS =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=10000'
