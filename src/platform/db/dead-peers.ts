/**
 * Asks the server to end sessions of clients that vanished: 5 s of silence, then three probes 2 s apart, and at most 10 s (in
 * milliseconds) for data that nobody acknowledges. The defaults of most systems are two hours. No effect on a Unix socket.
 */
export const DEAD_PEERS =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=10000'
