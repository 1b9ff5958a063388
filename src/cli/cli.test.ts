import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { SYSTEM, audit } from '../platform/audit.ts'
import { emptyDatabase, testDatabase } from '../platform/db/testing.ts'
import { COMMANDS } from './commands.ts'
import { run, settingsFor } from './testing.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-shell-'))
afterAll(() => rm(folder, { recursive: true }))
const { db, url } = await testDatabase()
const env = settingsFor(url, folder)
const shell = (...words: string[]) => run(words, env)

test.each([
  ['audit', 'verify'],
  ['backup', path.join(folder, 'none.tar.gz')],
  ['keys', 'new'],
  ['keys', 'rotate'],
  ['keys', 'forget'],
  ['agent', 'token', 'edge', 'fra1-edge1'],
  ['site', 'add', 'ams1', '--name', 'Amsterdam 1'],
  ['config', 'check'],
])('creates no database where the installation is not: %s %s', async (...words) => {
  const { DATABASE_URL: _, ...rest } = env
  const nowhere = path.join(folder, 'nowhere')
  const { code, text } = await run(words, { ...rest, DATA_DIR: nowhere })
  expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining(`There is no database in ${nowhere}.`) })
  await expect(access(nowhere)).rejects.toThrow('ENOENT')
})

describe('words', () => {
  test('without words, the shell lists every command', async () => {
    const { code, text } = await shell()
    expect(code).toBe(0)
    for (const { name } of COMMANDS) expect(text).toContain(`  ${name} `)
  })

  test('--version says which release it is, without any settings', async () => {
    const { code, text } = await run(['--version'], {})
    expect({ code, text: text.trim() }).toEqual({ code: 0, text: expect.stringMatching(/^longhaul \d+\.\d+\.\d+$/) })
  })

  test.for(COMMANDS.map(({ name, args, options }) => [name, [...Object.keys(args), ...Object.keys(options)]] as const))(
    '%s --help names all that it takes, and touches nothing',
    async ([name, parameters]) => {
      const { code, text } = await run([...name.split(' '), '--help'], {})
      expect(code).toBe(0)
      for (const parameter of parameters) expect(text.toLowerCase()).toContain(parameter)
    },
  )

  test.for([
    [['nonsense'], 'There is no command "nonsense"'],
    [['plan', 'sell'], 'There are: plan add, plan retire'],
    [['site', 'add'], 'takes SITE'],
    [['site', 'add', 'ams1'], '--name: is required'],
    [['site', 'add', 'AMS 1', '--name', 'x'], 'SITE: got "AMS 1"'],
    [['site', 'add', 'ams1', '--name', 'x', '--colour', 'red'], 'takes no --colour. See longhaul site add --help.'],
    [['site', 'add', 'ams1', '--name'], '--name: has no value, takes '],
    [['edge', 'maintenance', 'edge1', '--end=yes'], '--end: takes no value.'],
    [['site', 'add', 'ams1', '--name', '--colour'], '--name: has no value, takes '],
    [['hypervisor', 'set', 'ams1-hv1', '--cpus', '-4'], '--cpus'],
    [['hypervisor', 'set', 'ams1-hv1', '--drained', 'maybe'], 'takes on or off'],
    [['--env', '/nowhere', 'audit', 'verify'], '/nowhere cannot be read'],
  ] as const)('%j is not understood, and the shell says why', async ([words, why]) => {
    const { code, text } = await run(words, env)
    expect(text).toContain(why)
    expect(code).toBe(2)
  })

  test('a wrong setting is named as the server names it', async () => {
    const { code, text } = await run(['audit', 'verify'], { ...env, PORT: 'many' })
    expect(text).toContain('PORT: got "many", takes a port number')
    expect(code).toBe(1)
  })

  test('settings come from a file, and what is set already goes before', async () => {
    const file = path.join(folder, 'longhaul.env')
    await writeFile(file, 'PORT=many\nLOG_LEVEL=loud\n')
    const { text } = await run(['--env', file, 'audit', 'verify'], { ...env, PORT: '8080' })
    expect(text).toContain('LOG_LEVEL')
    expect(text).not.toContain('PORT')
    expect(process.env['LOG_LEVEL']).toBeUndefined()
  })
})

describe('staff', () => {
  test('whom the portal would refuse are refused in the same words', async () => {
    expect(await shell('admin', 'create', '--email', 'robin', '--name', 'Robin Teal')).toMatchObject({
      code: 1,
      text: 'email: is not an e-mail address',
    })
    expect(await shell('admin', 'create', '--email', 'r@example.net', '--name', 'Robin \u0007')).toMatchObject({
      code: 1,
      text: 'lastName: may not contain control characters',
    })
  })

  test('are made of an account that exists, whose password stays', async () => {
    await db
      .insertInto('users')
      .values({
        email: 'ann@example.net',
        first_name: 'Ann',
        last_name: 'Reed',
        password_hash: 'x',
        email_verified_at: new Date(),
      })
      .execute()
    const { code, text } = await shell('admin', 'create', '--email', 'Ann@Example.net', '--name', 'Ann Reed')
    expect({ code, text }).toEqual({ code: 0, text: 'Ann@Example.net is staff.' })
    const user = await db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'ann@example.net')
      .executeTakeFirstOrThrow()
    expect(user).toMatchObject({ is_admin: true, password_hash: 'x' })
  })

  test('a demonstration account gets a password of its own before it becomes staff', async () => {
    await db
      .insertInto('users')
      .values({
        email: 'pip@example.net',
        first_name: 'Not',
        last_name: 'Pip',
        password_hash: 'x',
        email_verified_at: null,
      })
      .execute()
    const { text } = await shell('admin', 'create', '--email', 'pip@example.net', '--name', 'Pip Plover')
    expect(text).toMatch(/https:\/\/portal\.example\.net\/password\/new\?token=\S+$/)
    const user = await db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'pip@example.net')
      .executeTakeFirstOrThrow()
    expect(user).toMatchObject({ is_admin: true, first_name: 'Pip' })
    expect(user.password_hash).not.toBe('x')
  })
})

describe('stock', () => {
  test('is refused in words where it does not fit together', async () => {
    expect((await shell('site', 'add', 'ams1', '--name', 'Amsterdam 1')).code).toBe(0)
    const size = ['--cpus', '4', '--memory', '4096', '--disk', '100']
    for (const [words, why] of [
      [['site', 'add', 'ams1', '--name', 'Again'], /^There is already a site "ams1"/],
      [['hypervisor', 'set', 'ams1-hv1', '--site', 'ams1'], 'cpus: is required for a new hypervisor'],
      [['hypervisor', 'set', 'ams1-hv1', '--site', 'fra1', ...size], 'no site "fra1" exists'],
      [['hypervisor', 'set', 'none', '--site', 'ams1', ...size], 'is reserved'],
      [['hypervisor', 'reassign', 'other'], 'there is no hypervisor "other"'],
      [['hypervisor', 'drain', 'ams1-hv1'], 'There is no hypervisor'],
      [['plan', 'retire', 'lark'], 'there is no plan "lark"'],
      [pool('198.51.100.1/24', '198.51.100.1', '2001:db8::/64', '2001:db8::1'), 'prefix4: must be'],
      [pool('198.51.100.0/24', '198.51.101.1', '2001:db8::/64', '2001:db8::1'), 'gateway4: must be an address inside'],
      [pool('198.51.100.0/24', '198.51.100.1', '10.0.0.0/8', '10.0.0.1'), 'prefix6: must be'],
    ] as const) {
      const { code, text } = await run(words, env)
      expect(text).toMatch(why)
      expect(code).toBe(1)
    }
    const taken = pool('198.51.100.0/24', '198.51.100.1', '2001:db8::/64', '2001:db8::1')
    expect((await run(taken, env)).code).toBe(0)
    expect((await run(taken, env)).text).toContain('overlaps the pool 198.51.100.0/24')
  })

  const pool = (prefix4: string, gateway4: string, prefix6: string, gateway6: string): string[] =>
    `pool add --site ams1 --prefix4 ${prefix4} --gateway4 ${gateway4} --prefix6 ${prefix6} --gateway6 ${gateway6}`.split(
      ' ',
    )

  test('changes where told and stays where not: drained, resized, retired', async () => {
    await shell('hypervisor', 'set', 'ams1-hv1', '--site', 'ams1', '--cpus', '4', '--memory', '4096', '--disk', '100')
    expect((await shell('hypervisor', 'drain', 'ams1-hv1')).text).toContain('0 routers are on it')
    await shell('hypervisor', 'set', 'ams1-hv1', '--memory', '8192')
    const hypervisor = () => db.selectFrom('hypervisors').selectAll().executeTakeFirstOrThrow()
    expect(await hypervisor()).toMatchObject({ cpus: 4, memory: 8192, disk: 100, drained: true })
    expect((await shell('hypervisor', 'list')).text).toContain('start longhaul-agent on its host')
    await shell('hypervisor', 'set', 'ams1-hv1', '--drained', 'off')
    expect(await hypervisor()).toMatchObject({ memory: 8192, drained: false })
    expect((await shell('hypervisor', 'remove', 'ams1-hv1')).text).toContain('Drain it first')
    await shell('hypervisor', 'drain', 'ams1-hv1')
    expect(await shell('hypervisor', 'remove', 'ams1-hv1')).toEqual({
      code: 0,
      text: 'Removed the hypervisor ams1-hv1.',
    })
    expect((await shell('hypervisor', 'remove', 'ams1-hv1')).text).toContain('There is no hypervisor')

    const price = ['--cpus', '1', '--memory', '192', '--disk', '1', '--hourly', '1', '--monthly', '490']
    expect((await shell('plan', 'add', 'lark', '--name', 'Lark', ...price)).code).toBe(0)
    expect(await db.selectFrom('price_versions').select(['product', 'monthly_price']).execute()).toEqual([
      { product: 'router:lark', monthly_price: 490 },
    ])
    expect((await shell('plan', 'retire', 'lark')).code).toBe(0)
    expect((await shell('plan', 'add', 'lark', '--name', 'Lark', ...price)).text).toContain(
      'Retired ones keep their names',
    )
    const actions = await db.selectFrom('audit_events').select('action').orderBy('id').execute()
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'hypervisor.added',
        'hypervisor.drained',
        'hypervisor.reopened',
        'plan.added',
        'plan.retired',
      ]),
    )
  })
})

describe('agents', () => {
  test('get a token, are listed with their keys, and lose them', async () => {
    const { code, text } = await shell('agent', 'token', 'edge', 'fra1-edge1')
    expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/^lhe_[\w-]{43}\.[\w-]+$/m) })
    expect((await shell('agent', 'list', 'edge', 'fra1-edge1')).text).toContain('No agent enrolled')
    expect((await shell('agent', 'token', 'router', 'fra1-edge1')).text).toContain('takes hypervisor or edge')
    const { id } = await db
      .insertInto('agents')
      .values({ kind: 'edge', slug: 'fra1-edge1', key_digest: 'ab'.repeat(32), enrolled_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await shell('agent', 'list', 'edge', 'fra1-edge1')).text).toMatch(/abababababababab {2}not connected/)
    expect((await shell('agent', 'revoke', String(id))).code).toBe(0)
    expect((await shell('agent', 'list', 'edge', 'fra1-edge1')).text).toMatch(/abababababababab {2}revoked 20/)
  })
})

describe('edges', () => {
  test('are added with the sites that they serve, emptied for maintenance, and removed once they serve nothing', async () => {
    await shell('site', 'add', 'fra1', '--name', 'Frankfurt 1')
    expect((await shell('edge', 'list')).text).toMatch(/^edge1 {2}.*Frankfurt 1.*longhaul-agent on its machine$/ms)
    const frankfurt = ['fra1-edge1', '--name', 'Frankfurt', '--sites', 'fra1']
    expect((await shell('edge', 'add', ...frankfurt, '--router-id', 'fra1')).text).toContain('--router-id')
    expect((await shell('edge', 'add', ...frankfurt, '--router-id', '192.0.2.9')).code).toBe(0)
    expect((await shell('edge', 'set', 'edge1', '--router-id', '192.0.2.9')).text).toContain('of another edge')
    expect((await shell('edge', 'set', 'edge1', '--router-id', '192.0.2.1')).code).toBe(0)
    expect((await shell('edge', 'list')).text).toMatch(/^fra1-edge1 {2}Frankfurt 1 {2}/m)
    await shell('edge', 'maintenance', 'fra1-edge1', '--reason', 'New optics')
    expect((await shell('edge', 'list')).text).toMatch(/^fra1-edge1 .*maintenance/m)
    expect((await shell('edge', 'maintenance', 'fra1-edge1', '--end')).text).toContain('has ended')
    expect((await shell('edge', 'remove', 'fra1-edge1')).text).toContain('serves sites')
    expect((await shell('edge', 'set', 'edge1', '--sites', 'fra1,nowhere')).text).toContain('no site "nowhere"')
    await shell('edge', 'set', 'edge1', '--sites', 'fra1', '--name', 'The first')
    expect((await shell('edge', 'remove', 'fra1-edge1')).code).toBe(0)
    expect((await shell('edge', 'remove', 'edge1')).text).toContain('only edge')
    expect((await shell('edge', 'remove', 'other')).text).toContain('There is no edge')
  })
})

describe('audit verify', () => {
  test('prints a head that a later run takes, and exits with 1 where a line was changed', async () => {
    const first = await shell('audit', 'verify')
    const head = /Head: (\d+:[0-9a-f]{64})$/.exec(first.text)?.[1] ?? ''
    await audit(db, SYSTEM, { action: 'account.changed', subject: { type: 'thing', id: null }, accountId: null })
    expect(await shell('audit', 'verify', '--head', head)).toMatchObject({ code: 0 })

    // A log that has other lines too, in two formats.
    const file = path.join(folder, 'syslog')
    await writeFile(
      file,
      `<109>1 - host longhaul 7 audit - audit head ${head}\n{"msg":"audit head ${head}"}\nanother\n`,
    )
    expect(await shell('audit', 'verify', '--heads', file)).toMatchObject({
      code: 0,
      text: expect.stringContaining('1 exported head is in the chain'),
    })
    await writeFile(file, `audit head ${head.replace(/[0-9a-f]{64}$/, 'f'.repeat(64))}\n`)
    expect(await shell('audit', 'verify', '--heads', file)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/head that was noted, \d+, is not in the chain/),
    })
    await writeFile(file, 'nothing of ours\n')
    expect(await shell('audit', 'verify', '--heads', file)).toMatchObject({
      code: 1,
      text: expect.stringContaining('has no line with an exported head'),
    })
    expect((await shell('audit', 'verify', '--heads', '/nowhere')).text).toContain('/nowhere cannot be read')

    await sql`alter table audit_events disable trigger user`.execute(db)
    await sql`update audit_events set action = 'thing.undone' where id = (select max(id) from audit_events)`.execute(db)
    const after = await shell('audit', 'verify')
    expect(after).toMatchObject({ code: 1, text: expect.stringContaining('is not what was written') })
  })
})

describe('config check', () => {
  test('says what works, what fails and what is not set, and never waits forever', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    try {
      const nowhere = {
        RTR_SERVER: `127.0.0.1:${port}`,
        IRR_SERVER: '127.0.0.1:1',
        EDGE: 'bird',
        EDGE_SOCKET: '/nowhere',
      }
      const { code, text } = await run(['config', 'check', '--deadline', '1'], { ...env, ...nowhere })
      expect(text).toMatch(/^works {2}database .*PostgreSQL \d+.*up to date$/m)
      expect(text).toMatch(/^fails {2}edge .*ENOENT/m)
      expect(text).toMatch(/^fails {2}RPKI .*no answer in 1 s/m)
      expect(text).toMatch(/^fails {2}IRR /m)
      expect(text).toMatch(/^fails {2}mail .*SMTP_URL: got nothing, takes an smtp:/m)
      expect(text).toMatch(/^fails {2}payments .*STRIPE_SECRET_KEY: got nothing, takes a live secret key/m)
      expect(code).toBe(1)
    } finally {
      silent.close()
    }
  })

  test('leaves an empty database empty', async () => {
    const { text } = await run(['config', 'check', '--deadline', '5'], {
      ...settingsFor(await emptyDatabase(), folder),
      IRR_SERVER: '127.0.0.1:1',
    })
    expect(text).toMatch(/lacks \d+ migrations/)
  })
})
