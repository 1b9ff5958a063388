/** Returns whether a request comes from a program on this machine and not through a proxy on it. */
import type { FastifyRequest } from 'fastify'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
/** RFC 7239, and the headers that proxies set beside it. */
const FORWARDING = /^(?:forwarded|via|x-real-ip|x-forwarded(?:-.*)?)$/

/** Checks the socket itself: `request.ip` and `request.hostname` may come from a header. */
export const isFromHere = ({ socket, headers }: FastifyRequest): boolean =>
  LOOPBACK.has(socket.remoteAddress ?? '') && !Object.keys(headers).some((name) => FORWARDING.test(name))
