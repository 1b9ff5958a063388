import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MachineSpec } from '../../index.ts'
import { readDisplaySocket, readMark, writeDomain, type MachinePaths } from './domain.ts'
import { readFilteredPort, writeFilter } from './filter.ts'
import { find, readXml } from './read.ts'
import { xml } from './write.ts'

const printable = fc
  .string({ unit: 'grapheme' })
  .filter((text) => !/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/.test(text)) // oxlint-disable-line no-control-regex

const spec: MachineSpec = {
  uuid: '7d3f5f9e-1111-4222-8333-0123456789ab',
  label: 'kestrel-1',
  cpus: 1,
  memory: 192,
  diskSize: 10,
  image: 'longhaul-appliance',
  nic: { mac: '52:54:00:aa:bb:01', allowedSources: ['203.0.113.9/32', '45.30.10.0/24', '2d10:10::/32'] },
  bootFiles: {},
}

const paths: MachinePaths = {
  instance: 'abc123',
  name: 'lh-abc123-kestrel-1',
  acceleration: 'tcg',
  bridge: 'lhbabc123',
  image: {
    digest: '0'.repeat(64),
    kernel: '/images/vmlinuz',
    initrd: '/images/initrd',
    cmdline: 'console=ttyS0',
    version: null,
  },
  disk: '/pool/disk.qcow2',
  bootFiles: '/pool/boot.tar',
  filter: 'lh-abc123-kestrel',
}

describe('XML', () => {
  it('says the same after it was written and read, whatever the text', () => {
    fc.assert(
      fc.property(printable, printable, (attribute, text) => {
        const element = readXml(xml`<a><b c='${attribute}'>${text}</b></a>`.text)
        const inner = find(element, 'b')
        expect(inner?.attributes.get('c')).toBe(attribute)
        expect(inner?.text).toBe(text)
        expect(inner?.children).toEqual([])
      }),
    )
  })

  it.each(['\u0000', '\n', '\u001b[2J', '\u009f', '\ud800', '\uffff'])('refuses to carry %j', (text) => {
    expect(() => xml`<a>${text}</a>`).toThrow('holds a character that XML cannot carry')
  })

  it.each(['', '<a>', '<a></b>', '<a/><b/>', '<a b=c/>', '<!DOCTYPE a><a/>', '<?xml version="1.0"?><a/>', 'text'])(
    'is not read from %j',
    (source) => {
      expect(() => readXml(source)).toThrow(/./)
    },
  )
})

describe('the definition of a machine', () => {
  it('carries the mark that it is known by', () => {
    const { xml: text, digest } = writeDomain(spec, paths)
    expect(readMark(text)).toEqual({ instance: 'abc123', label: 'kestrel-1', digest, diskSize: 10 })
  })

  it('has no mark when the mark is of another program', () => {
    const text = writeDomain(spec, paths).xml.replaceAll('urn:longhaul:machine:1', 'urn:other:machine')
    expect(readMark(text)).toBeNull()
  })

  it('has another digest when anything of the hardware is another, and the same for another label', () => {
    const { digest } = writeDomain(spec, paths)
    const changes: Partial<MachineSpec>[] = [{ cpus: 2 }, { memory: 256 }, { diskSize: 11 }]
    for (const change of changes) expect(writeDomain({ ...spec, ...change }, paths).digest).not.toBe(digest)
    expect(writeDomain(spec, { ...paths, image: { ...paths.image, digest: '1'.repeat(64) } }).digest).not.toBe(digest)
    expect(writeDomain({ ...spec, label: 'other' }, paths).digest).toBe(digest)
  })

  it('attaches its port isolated and filtered, under a name that Linux takes', () => {
    const nic = find(readXml(writeDomain(spec, paths).xml), 'devices', 'interface')!
    expect(find(nic, 'port')?.attributes.get('isolated')).toBe('yes')
    expect(find(nic, 'filterref')?.attributes.get('filter')).toBe(paths.filter)
    expect(find(nic, 'target')?.attributes.get('dev')).toMatch(/^[a-z0-9]{1,15}$/)
    expect(find(readXml(writeDomain(spec, { ...paths, bridge: null }).xml), 'devices', 'interface')).toBeUndefined()
  })

  it("limits the translation cache of emulation, which libvirt refuses for KVM's machines", () => {
    const features = (acceleration: 'kvm' | 'tcg') =>
      find(readXml(writeDomain(spec, { ...paths, acceleration }).xml), 'features', 'tcg', 'tb-cache')?.text
    expect(features('tcg')).toBe('128')
    expect(features('kvm')).toBeUndefined()
  })
})

describe('the display of a machine', () => {
  it('is where libvirt says it is', () => {
    const graphics = "<graphics type='vnc' socket='/run/a.sock'><listen type='socket' socket='/run/a.sock'/></graphics>"
    expect(readDisplaySocket(`<domain><devices>${graphics}</devices></domain>`)).toBe('/run/a.sock')
    expect(readDisplaySocket('<domain><devices/></domain>')).toBeNull()
  })
})

describe('the network filter', () => {
  it('allows each source by itself and drops the rest of every protocol', () => {
    const rules = readXml(writeFilter('f', spec.uuid, spec.nic)).children.filter(({ name }) => name === 'rule')
    const lines = rules.map((rule) => {
      const [match] = rule.children
      const attributes = [...match!.attributes].map(([key, value]) => `${key}=${value}`)
      return [rule.attributes.get('priority'), rule.attributes.get('action'), match!.name, ...attributes].join(' ')
    })
    expect(lines).toEqual([
      '100 drop mac match=no srcmacaddr=52:54:00:aa:bb:01',
      '110 accept arp arpsrcmacaddr=52:54:00:aa:bb:01 arpsrcipaddr=203.0.113.9',
      '120 drop arp',
      '200 accept ip srcipaddr=203.0.113.9 srcipmask=32',
      '200 accept ip srcipaddr=45.30.10.0 srcipmask=24',
      '210 drop ip',
      '290 drop ipv6 protocol=icmpv6 type=134',
      '290 drop ipv6 protocol=icmpv6 type=137',
      '300 accept ipv6 srcipaddr=2d10:10:: srcipmask=32',
      '300 accept ipv6 srcipaddr=fe80::5054:ff:feaa:bb01 srcipmask=128',
      '300 accept ipv6 srcipaddr=:: srcipmask=128',
      '310 drop ipv6',
      '900 drop mac',
    ])
    expect(rules.every((rule) => rule.attributes.get('direction') === 'out')).toBe(true)
  })

  it('tells whose port it is, and which addresses may speak neighbour discovery there', () => {
    expect(readFilteredPort(writeFilter('f', spec.uuid, spec.nic))).toEqual({
      mac: spec.nic.mac,
      addresses: ['fe80::5054:ff:feaa:bb01'],
    })
    const allowedSources = ['203.0.113.9/32', '2001:db8:100::9/128', '2d10:10::/32']
    expect(readFilteredPort(writeFilter('f', spec.uuid, { ...spec.nic, allowedSources }))?.addresses).toEqual([
      '2001:db8:100::9',
      'fe80::5054:ff:feaa:bb01',
    ])
    expect(readFilteredPort("<filter name='f' chain='root'/>")).toBeNull()
  })
})
