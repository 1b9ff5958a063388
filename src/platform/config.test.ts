import { describe, expect, test } from 'vitest'
import { ConfigError, instanceOf, readConfig } from './config.ts'

describe('the configuration', () => {
  test('has defaults for everything', () => {
    const config = readConfig({}, 'r1')
    expect(config).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      PRODUCT_NAME: 'Longhaul',
      COMPUTE: 'auto',
      EDGE: 'auto',
      RELEASE: 'r1',
    })
    expect(config.loopback).toBe(true)
  })

  test('names each wrong variable, what it got and what it takes, all at once', () => {
    const message = problemsOf({ PORT: 'eighty', COMPUTE: 'vmware', DATABASE_URL: 'mysql://x' })
    expect(message).toContain('PORT: got "eighty", takes a port number')
    expect(message).toContain('COMPUTE: got "vmware", takes auto, libvirt or simulated')
    expect(message.split('\n')).toHaveLength(3)
  })

  test('never repeats a secret in its complaint', () => {
    const message = problemsOf({ STRIPE_SECRET_KEY: 'hunter2hunter2', SECRET_KEY: 'short' })
    expect(message).not.toContain('hunter2')
    expect(message).not.toContain('"short"')
  })

  test('repeats of a wrong address what cannot be a secret', () => {
    const said = (DATABASE_URL: string) => problemsOf({ DATABASE_URL })
    expect(said('mysql://x/y')).toContain('DATABASE_URL: got "mysql://x/y", takes')
    expect(said('mysql://me:hunt#e?r@2@x/y')).toContain('got "(hidden)@x/y"')
    expect(said('mysql://x/y?password=hunter2')).toContain('got "mysql://x/y?(hidden)"')
  })

  test('takes resolvers by their addresses alone', () => {
    const resolver = (DNS_RESOLVER: string) => readConfig({ DNS_RESOLVER }, 'r').DNS_RESOLVER
    expect(readConfig({}, 'r').DNS_RESOLVER).toBe('system')
    expect(resolver('127.0.0.1')).toEqual([{ address: '127.0.0.1', port: 53 }])
    expect(resolver('[::1]:5353')).toEqual([{ address: '::1', port: 5353 }])
    expect(resolver('127.0.0.1, 198.51.100.53')).toHaveLength(2)
    for (const wrong of ['dns.example.net', '127.0.0.1:0', '999.0.0.1', '::1:53x', '127.0.0.1,']) {
      expect(() => resolver(wrong), wrong).toThrow('DNS_RESOLVER: got')
    }
  })

  test('refuses a setting of its own that it does not know', () => {
    expect(problemsOf({ LONGHAUL_SISTEM: 'skip' })).toContain('LONGHAUL_SISTEM: there is no such setting')
  })

  test('drives the first edge by itself in a worker, and none where told so or on a web', () => {
    expect(readConfig({}, 'r').edgeSlug).toBe('edge1')
    expect(readConfig({ ROLE: 'worker', EDGE_NAME: 'none' }, 'r').edgeSlug).toBeNull()
    expect(readConfig({ ROLE: 'web' }, 'r').edgeSlug).toBeNull()
  })

  test('treats an empty variable as unset', () => {
    expect(readConfig({ PORT: '' }, 'r').PORT).toBe(8080)
  })

  test('splits host and port, IPv6 in brackets', () => {
    expect(readConfig({ RTR_SERVER: '[::1]:8282' }, 'r').RTR_SERVER).toEqual({ host: '::1', port: 8282, tls: false })
    expect(readConfig({ RTR_SERVER: 'tls://rtr.example:324' }, 'r').RTR_SERVER).toEqual({
      host: 'rtr.example',
      port: 324,
      tls: true,
    })
  })

  test('names the hypervisor that a process drives: none where it only answers, the first one unless said otherwise', () => {
    const drives = (env: NodeJS.ProcessEnv) => readConfig(env, 'r').hypervisorSlug
    expect(drives({})).toBe('ams1-hv1')
    expect(drives({ ROLE: 'worker' })).toBe('ams1-hv1')
    expect(drives({ ROLE: 'worker', HYPERVISOR: 'fra1-hv1' })).toBe('fra1-hv1')
    expect(drives({ ROLE: 'worker', HYPERVISOR: 'none' })).toBeNull()
    expect(drives({ ROLE: 'web', HYPERVISOR: 'fra1-hv1' })).toBeNull()
    expect(problemsOf({ HYPERVISOR: 'Fra 1' })).toContain('HYPERVISOR: got "Fra 1", takes the short name')
  })

  test('takes an address of a process as an origin', () => {
    expect(problemsOf({ AGENT_URL: 'http://192.0.2.1:8080/x' })).toContain('AGENT_URL: got')
  })

  test('refuses a public address with a path', () => {
    expect(problemsOf({ PUBLIC_URL: 'https://portal.example/app' })).toContain('PUBLIC_URL')
    expect(readConfig({ PUBLIC_URL: 'https://portal.example/' }, 'r').PUBLIC_URL).toBe('https://portal.example')
  })

  test('gives each data folder a mark of its own that stays', () => {
    expect(instanceOf('/srv/a')).toMatch(/^[0-9a-f]{6}$/)
    expect(instanceOf('/srv/a')).toBe(instanceOf('/srv/a/'))
    expect(instanceOf('/srv/a')).not.toBe(instanceOf('/srv/b'))
  })

  test.each([
    [{}, false],
    [{ PUBLIC_URL: 'http://localhost:8080' }, false],
    [{ PUBLIC_URL: 'http://[::1]:8080' }, false],
    [{ PUBLIC_URL: 'https://portal.example' }, true],
    [{ HOST: '0.0.0.0' }, true],
    [{ PUBLIC_URL: 'https://portal.example', DEMO: 'on' }, false],
    [{ PUBLIC_URL: 'https://portal.example', STAFF_SECOND_FACTOR: 'off' }, false],
    [{ STAFF_SECOND_FACTOR: 'required' }, true],
  ])('%j asks a second factor of staff: %s', (env, asked) => {
    expect(readConfig(env, 'r').staffSecondFactor).toBe(asked)
  })

  test('refuses a wish for second factors that it does not know', () => {
    expect(problemsOf({ STAFF_SECOND_FACTOR: 'maybe' })).toContain('takes auto, required or off')
  })

  test('lets a reset of a second factor wait from an hour to seven days', () => {
    for (const [text, ms] of [
      ['1h', 3_600_000],
      ['60m', 3_600_000],
      ['7d', 604_800_000],
    ] as const) {
      expect(readConfig({ SECOND_FACTOR_RESET_WAIT: text }, 'r').SECOND_FACTOR_RESET_WAIT).toBe(ms)
    }
    for (const text of ['59m', '169h', '8d', '0', '24']) {
      expect(problemsOf({ SECOND_FACTOR_RESET_WAIT: text })).toContain('from 1h to 7d')
    }
  })

  test('knows which addresses are loopback', () => {
    for (const [host, loopback] of [
      ['127.0.0.2', true],
      ['localhost', true],
      ['::1', true],
      ['0.0.0.0', false],
      ['::', false],
    ] as const) {
      expect(readConfig({ HOST: host }, 'r').loopback).toBe(loopback)
    }
  })
})

function problemsOf(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env, 'r')
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}
