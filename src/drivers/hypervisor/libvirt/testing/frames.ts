/** Frames that must not leave a router's port, and frames that must. */
import {
  arpFrame,
  fragmentHeader,
  ICMPV6,
  icmpv6,
  ipv4UdpFrame,
  ipv6Frame,
  linkOption,
  neighborMessage,
  nonceOption,
  OPTION,
  optionsHeader,
  PROTOCOL,
  routingHeader,
  udp,
  uint32,
  type Arp,
  type Ethernet,
  type Ipv6,
} from './packets.ts'

export interface Sample {
  readonly kind: string
  readonly frame: Buffer
}

/** The hosts of the segment, as the frames claim them. */
export interface Segment {
  readonly own: { readonly mac: string; readonly v4: string; readonly v6: string; readonly linkLocal: string }
  /** A prefix that is routed to the router: it may send from it, and has no neighbors in it. */
  readonly routed: { readonly v4: string; readonly v6: string }
  readonly victim: { readonly mac: string; readonly v4: string; readonly v6: string; readonly linkLocal: string }
  readonly gateway: { readonly mac: string; readonly v4: string; readonly v6: string; readonly linkLocal: string }
  /** Addresses that no host has. */
  readonly free: { readonly v4: string; readonly v6: string; readonly linkLocal: string }
}

const ALL_NODES = { mac: '33:33:00:00:00:01', v6: 'ff02::1' }
const BROADCAST = 'ff:ff:ff:ff:ff:ff'
const ANY_FLAGS = [0, 1, 2, 3, 4, 5, 6, 7]
/** Router, solicited, override: the three upper bits (RFC 4861 section 4.4). */
const flagsWord = (flags: number): number => (flags << 29) >>> 0

/** All samples differ, so that each captured frame can be identified. */
class Samples {
  readonly list: Sample[] = []
  #number = 0

  add(kind: string, make: (mark: number) => Buffer | readonly Buffer[]): void {
    this.#number += 1
    const made = make(this.#number)
    for (const frame of Array.isArray(made) ? (made as Buffer[]) : [made as Buffer]) this.list.push({ kind, frame })
  }
}

type Wrap = (next: number, payload: Buffer, mark: number) => readonly { next: number; payload: Buffer }[]

/** Ways to put other headers before a message. */
const WRAPS: Readonly<Record<string, Wrap>> = {
  'hop-by-hop options': (next, payload) => [
    { next: PROTOCOL.hopByHop, payload: Buffer.concat([optionsHeader(next), payload]) },
  ],
  'destination options': (next, payload) => [
    { next: PROTOCOL.destination, payload: Buffer.concat([optionsHeader(next, 4), payload]) },
  ],
  'a routing header': (next, payload) => [
    { next: PROTOCOL.routing, payload: Buffer.concat([routingHeader(next), payload]) },
  ],
  'three headers': (next, payload) => [
    {
      next: PROTOCOL.hopByHop,
      payload: Buffer.concat([
        optionsHeader(PROTOCOL.routing),
        routingHeader(PROTOCOL.destination),
        optionsHeader(next),
        payload,
      ]),
    },
  ],
  'an atomic fragment header': (next, payload, mark) => [
    { next: PROTOCOL.fragment, payload: Buffer.concat([fragmentHeader(next, 0, false, mark), payload]) },
  ],
}

const ndFrame = (
  ethernet: Ethernet,
  header: Ipv6,
  type: number,
  { word, target, options = [] }: { word: number; target: string; options?: readonly Buffer[] },
): Buffer => ipv6Frame(ethernet, header, PROTOCOL.icmpv6, icmpv6(header, type, neighborMessage(word, target, options)))

export function forgedSamples(segment: Segment): Sample[] {
  const { own, routed, victim, gateway, free } = segment
  const samples = new Samples()
  const multicast: Ethernet = { from: own.mac, to: ALL_NODES.mac }
  const direct: Ethernet = { from: own.mac, to: gateway.mac }
  const foreign = [victim.v6, victim.linkLocal, gateway.v6, gateway.linkLocal, free.v6, free.linkLocal, routed.v6]
  const sources = [own.v6, own.linkLocal, routed.v6, victim.v6, '::']

  for (const target of foreign)
    for (const source of sources)
      for (const flags of ANY_FLAGS)
        for (const lla of [null, own.mac, victim.mac])
          samples.add('an advertisement of an address of others', (mark) => {
            const solicited = (flags & 2) !== 0
            return ndFrame(
              solicited ? direct : multicast,
              { source, destination: solicited ? gateway.v6 : ALL_NODES.v6 },
              ICMPV6.advertise,
              { word: flagsWord(flags) | mark, target, options: lla ? [linkOption(OPTION.target, lla)] : [] },
            )
          })

  for (const target of [own.v6, own.linkLocal])
    for (const flags of ANY_FLAGS)
      for (const lla of [victim.mac, gateway.mac, BROADCAST])
        samples.add('an advertisement of its own address with a false link-layer address', (mark) =>
          ndFrame(multicast, { source: own.v6, destination: ALL_NODES.v6 }, ICMPV6.advertise, {
            word: flagsWord(flags) | mark,
            target,
            options: [linkOption(OPTION.target, lla)],
          }),
        )
  for (const flags of ANY_FLAGS)
    samples.add('an advertisement with a second link-layer address', (mark) =>
      ndFrame(multicast, { source: own.v6, destination: ALL_NODES.v6 }, ICMPV6.advertise, {
        word: flagsWord(flags) | mark,
        target: own.v6,
        options: [linkOption(OPTION.target, own.mac), linkOption(OPTION.target, victim.mac)],
      }),
    )

  for (const source of [own.v6, own.linkLocal])
    for (const target of [gateway.v6, gateway.linkLocal, victim.v6, own.v6])
      for (const lla of [victim.mac, gateway.mac])
        for (const options of [
          [linkOption(OPTION.source, lla)],
          [linkOption(OPTION.source, lla), nonceOption(7)],
          [nonceOption(7), linkOption(OPTION.source, lla)],
          [linkOption(OPTION.source, own.mac), linkOption(OPTION.source, lla)],
        ])
          samples.add('a solicitation with a false link-layer address', (mark) =>
            ndFrame(direct, { source, destination: gateway.v6 }, ICMPV6.solicit, { word: mark, target, options }),
          )
  for (const source of [victim.v6, victim.linkLocal, gateway.v6, free.v6])
    for (const lla of [own.mac, victim.mac])
      samples.add('a solicitation from an address of others', (mark) =>
        ndFrame(direct, { source, destination: gateway.v6 }, ICMPV6.solicit, {
          word: mark,
          target: gateway.v6,
          options: [linkOption(OPTION.source, lla)],
        }),
      )
  for (const target of foreign)
    for (const options of [[], [nonceOption(9)], [linkOption(OPTION.source, own.mac)]])
      for (const destination of [ALL_NODES.v6, 'ff02::1:ff00:a'])
        samples.add('a probe for an address of others', (mark) =>
          ndFrame(multicast, { source: '::', destination }, ICMPV6.solicit, { word: mark, target, options }),
        )

  for (const source of [own.v6, own.linkLocal, gateway.linkLocal])
    for (const target of [own.v6, own.linkLocal, victim.v6, gateway.v6])
      for (const destination of [victim.v6, '2d11::1', '2d10:99::1'])
        samples.add('a redirect', (mark) => {
          const header = { source, destination: gateway.v6 }
          const body = Buffer.concat([
            neighborMessage(mark, target, []),
            neighborMessage(0, destination, []).subarray(4),
            linkOption(OPTION.target, own.mac),
          ])
          return ipv6Frame(direct, header, PROTOCOL.icmpv6, icmpv6(header, ICMPV6.redirect, body))
        })

  for (const source of [own.linkLocal, own.v6, gateway.linkLocal])
    for (const lifetime of [0, 1800])
      for (let turn = 0; turn < 4; turn++)
        samples.add('a router advertisement', (mark) => {
          const header = { source, destination: ALL_NODES.v6 }
          const body = Buffer.concat([Buffer.from([64, 0, lifetime >> 8, lifetime & 255]), uint32(mark), uint32(0)])
          return ipv6Frame(multicast, header, PROTOCOL.icmpv6, icmpv6(header, ICMPV6.advertiseRouter, body))
        })
  for (const lla of [victim.mac, gateway.mac])
    samples.add('a router solicitation with a false link-layer address', (mark) => {
      const header = { source: own.linkLocal, destination: 'ff02::2' }
      const body = Buffer.concat([uint32(mark), linkOption(OPTION.source, lla)])
      return ipv6Frame(multicast, header, PROTOCOL.icmpv6, icmpv6(header, ICMPV6.solicitRouter, body))
    })

  for (const [what, wrap] of Object.entries(WRAPS))
    for (const source of [own.v6, own.linkLocal])
      for (const target of [victim.v6, gateway.v6, gateway.linkLocal, free.v6])
        for (const type of [
          ICMPV6.advertise,
          ICMPV6.advertise,
          ICMPV6.redirect,
          ICMPV6.advertiseRouter,
          ICMPV6.solicit,
        ])
          samples.add(`neighbour discovery behind ${what}`, (mark) => {
            const header = { source: type === ICMPV6.solicit ? '::' : source, destination: ALL_NODES.v6 }
            const options = type === ICMPV6.solicit ? [] : [linkOption(OPTION.target, own.mac)]
            const message = icmpv6(header, type, neighborMessage(flagsWord(1) | mark, target, options))
            return wrap(PROTOCOL.icmpv6, message, mark).map((part) =>
              ipv6Frame(multicast, header, part.next, part.payload),
            )
          })
  for (const target of [victim.v6, gateway.v6])
    for (let turn = 0; turn < 6; turn++)
      samples.add('an advertisement in the first of two fragments', (mark) => {
        const header = { source: own.v6, destination: ALL_NODES.v6 }
        const message = icmpv6(
          header,
          ICMPV6.advertise,
          neighborMessage(flagsWord(1) | mark, target, [linkOption(OPTION.target, own.mac)]),
        )
        // The second fragment alone is harmless; without the first it cannot be reassembled.
        return ipv6Frame(
          multicast,
          header,
          PROTOCOL.fragment,
          Buffer.concat([fragmentHeader(PROTOCOL.icmpv6, 0, true, mark), message.subarray(0, 24)]),
        )
      })
  for (let turn = 0; turn < 12; turn++)
    samples.add('a first fragment that hides what follows', (mark) => {
      const header = { source: own.v6, destination: ALL_NODES.v6 }
      const headers = turn % 2 ? optionsHeader(PROTOCOL.icmpv6) : optionsHeader(PROTOCOL.icmpv6, 3).subarray(0, 16)
      return ipv6Frame(
        multicast,
        header,
        PROTOCOL.fragment,
        Buffer.concat([fragmentHeader(PROTOCOL.destination, 0, true, mark), headers]),
      )
    })

  const claims: Omit<Arp, 'operation'>[] = [victim.v4, gateway.v4, free.v4, routed.v4, '0.0.0.0'].flatMap((sender) =>
    [own.mac, victim.mac].flatMap((senderMac) =>
      [sender, gateway.v4].map((target) => ({ senderMac, sender, targetMac: BROADCAST, target })),
    ),
  )
  claims.push({ senderMac: victim.mac, sender: own.v4, targetMac: gateway.mac, target: gateway.v4 })
  for (const claim of claims)
    for (const operation of [1, 2] as const)
      for (const to of [BROADCAST, gateway.mac])
        samples.add('ARP for an address of others', (mark) =>
          arpFrame({ from: own.mac, to }, { ...claim, operation }, uint32(mark)),
        )
  for (const from of [victim.mac, gateway.mac])
    for (let turn = 0; turn < 20; turn++)
      samples.add('a frame from the MAC address of others', (mark) => {
        const header = { source: own.v6, destination: gateway.v6 }
        if (turn % 2) return ipv4UdpFrame({ from, to: gateway.mac }, own.v4, gateway.v4, uint32(mark))
        return ipv6Frame({ from, to: gateway.mac }, header, PROTOCOL.udp, udp(header, uint32(mark)))
      })
  for (const source of [victim.v6, gateway.v6, '2d10:99::1'])
    for (let turn = 0; turn < 20; turn++)
      samples.add('a packet from an address of others', (mark) => {
        const header = { source, destination: gateway.v6 }
        return ipv6Frame(direct, header, PROTOCOL.udp, udp(header, uint32(mark)))
      })
  for (const source of [victim.v4, gateway.v4, '45.30.99.1'])
    for (let turn = 0; turn < 20; turn++)
      samples.add('a packet from an address of others', (mark) =>
        ipv4UdpFrame(direct, source, gateway.v4, uint32(mark)),
      )
  return samples.list
}

export function goodSamples(segment: Segment): Sample[] {
  const { own, routed, victim, gateway } = segment
  const samples = new Samples()
  const multicast: Ethernet = { from: own.mac, to: ALL_NODES.mac }
  const direct: Ethernet = { from: own.mac, to: gateway.mac }

  for (const target of [own.v6, own.linkLocal])
    for (const source of [own.v6, own.linkLocal])
      for (const flags of ANY_FLAGS)
        for (const options of [[], [linkOption(OPTION.target, own.mac)]])
          samples.add('an advertisement of its own address', (mark) =>
            ndFrame(
              flags & 2 ? direct : multicast,
              { source, destination: flags & 2 ? gateway.v6 : ALL_NODES.v6 },
              ICMPV6.advertise,
              { word: flagsWord(flags) | mark, target, options },
            ),
          )
  for (const source of [own.v6, own.linkLocal])
    for (const target of [gateway.v6, gateway.linkLocal, victim.v6])
      for (const options of [
        [],
        [linkOption(OPTION.source, own.mac)],
        [nonceOption(3)],
        [linkOption(OPTION.source, own.mac), nonceOption(3)],
        [nonceOption(3), linkOption(OPTION.source, own.mac)],
      ])
        samples.add('a solicitation', (mark) =>
          ndFrame(direct, { source, destination: gateway.v6 }, ICMPV6.solicit, { word: mark, target, options }),
        )
  for (const target of [own.v6, own.linkLocal])
    for (const options of [[], [nonceOption(5)]])
      samples.add('a probe for its own address', (mark) =>
        ndFrame(multicast, { source: '::', destination: 'ff02::1:ff00:9' }, ICMPV6.solicit, {
          word: mark,
          target,
          options,
        }),
      )
  for (const options of [Buffer.alloc(0), linkOption(OPTION.source, own.mac)])
    samples.add('a router solicitation', (mark) => {
      const header = { source: own.linkLocal, destination: 'ff02::2' }
      const body = Buffer.concat([uint32(mark), options])
      return ipv6Frame(multicast, header, PROTOCOL.icmpv6, icmpv6(header, ICMPV6.solicitRouter, body))
    })
  for (const [type, source] of [
    [143, own.linkLocal],
    [143, '::'],
    [131, own.linkLocal],
  ] as const)
    samples.add('a multicast listener report', (mark) => {
      const header = { source, destination: 'ff02::16', hopLimit: 1 }
      const message = icmpv6(header, type, Buffer.concat([uint32(mark), Buffer.alloc(16)]))
      return ipv6Frame(multicast, header, PROTOCOL.hopByHop, Buffer.concat([optionsHeader(PROTOCOL.icmpv6), message]))
    })
  for (const target of [gateway.v4, own.v4])
    for (const operation of [1, 2] as const)
      for (const to of [BROADCAST, gateway.mac])
        samples.add('ARP for its own address', (mark) =>
          arpFrame(
            { from: own.mac, to },
            { operation, senderMac: own.mac, sender: own.v4, targetMac: gateway.mac, target },
            uint32(mark),
          ),
        )

  for (const source of [own.v4, routed.v4])
    for (let turn = 0; turn < 12; turn++)
      samples.add('an IPv4 packet', (mark) => ipv4UdpFrame(direct, source, gateway.v4, uint32(mark)))
  for (const source of [own.v6, routed.v6]) {
    const header = { source, destination: '2d11::1', hopLimit: 64 }
    for (let turn = 0; turn < 12; turn++)
      samples.add('an IPv6 packet', (mark) => ipv6Frame(direct, header, PROTOCOL.udp, udp(header, uint32(mark))))
    for (const type of [1, 2, 3, 4, ICMPV6.echo, ICMPV6.echo + 1])
      samples.add('an ICMPv6 message that is no neighbour discovery', (mark) =>
        ipv6Frame(direct, header, PROTOCOL.icmpv6, icmpv6(header, type, Buffer.concat([uint32(mark), uint32(0)]))),
      )
    for (const [what, wrap] of Object.entries(WRAPS)) {
      samples.add(`a packet behind ${what}`, (mark) =>
        wrap(PROTOCOL.udp, udp(header, uint32(mark)), mark).map((part) =>
          ipv6Frame(direct, header, part.next, part.payload),
        ),
      )
      samples.add(`an echo behind ${what}`, (mark) =>
        wrap(PROTOCOL.icmpv6, icmpv6(header, ICMPV6.echo, uint32(mark)), mark).map((part) =>
          ipv6Frame(direct, header, part.next, part.payload),
        ),
      )
    }
    for (const next of [PROTOCOL.icmpv6, PROTOCOL.udp, PROTOCOL.destination])
      for (let turn = 0; turn < 4; turn++)
        samples.add('a packet in two fragments', (mark) => {
          const inner =
            next === PROTOCOL.icmpv6
              ? icmpv6(header, ICMPV6.echo, Buffer.alloc(60, mark))
              : udp(header, Buffer.alloc(60, mark))
          const whole = next === PROTOCOL.destination ? Buffer.concat([optionsHeader(PROTOCOL.udp), inner]) : inner
          return [0, 32].map((offset) =>
            ipv6Frame(
              direct,
              header,
              PROTOCOL.fragment,
              Buffer.concat([
                fragmentHeader(next, offset, offset === 0, mark),
                whole.subarray(offset, offset === 0 ? 32 : undefined),
              ]),
            ),
          )
        })
  }
  return samples.list
}
