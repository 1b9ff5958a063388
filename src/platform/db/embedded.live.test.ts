import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { prepareBinaries, findPackage } from './embedded/binaries.ts'
import { findPostmaster, shutDown } from './embedded/postmaster.ts'
import { chooseServerUser, isRoot, runAs } from './embedded/server-user.ts'
import { ensureSocketFolder } from './embedded/settings.ts'
import { startEmbedded, type EmbeddedDatabase, type EmbeddedOptions } from './embedded.ts'
import { openDatabase } from './index.ts'

const root = await mkdtemp(path.join(tmpdir(), 'longhaul-embedded-'))
await chmod(root, 0o755)

const servers: EmbeddedDatabase[] = []
const children: ChildProcess[] = []
const folders = new Set<string>()

async function start(name: string, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedDatabase> {
  const server = await startEmbedded({ dataDir: path.join(root, name), ...options })
  servers.push(server)
  folders.add(server.folder)
  return server
}

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child)
  for (const server of servers.splice(0)) await server.stop()
  for (const folder of folders) await shutDown(path.join(folder, 'cluster'))
})
afterAll(() => rm(root, { recursive: true }))

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const postmasterOf = (server: EmbeddedDatabase) => findPostmaster(path.join(server.folder, 'cluster'))

/** Starts another of our processes on the same data. It prints its server as JSON and keeps running. */
async function startElsewhere(name: string, identity: { uid?: number; gid?: number } = {}) {
  const program = `import { startEmbedded } from ${JSON.stringify(path.join(import.meta.dirname, 'embedded.ts'))}
    setInterval(() => {}, 1000)
    const server = await startEmbedded({ dataDir: ${JSON.stringify(path.join(root, name))} }).catch((error) => ({ error: error.message }))
    process.on('SIGTERM', () => server.stop().then(() => process.exit(0)))
    console.log(JSON.stringify(server))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    ...identity,
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const server = JSON.parse(line.toString()) as { url: string; adopted: boolean; folder: string; error?: string }
  if (server.folder) folders.add(server.folder)
  return { child, ...server }
}

async function kill(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

describe('a server of its own', () => {
  it('keeps what was committed over a stop and a start', async () => {
    const first = await start('kept')
    await ask(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    expect(await postmasterOf(first)).toBeUndefined()
    const second = await start('kept')
    expect(second.adopted).toBe(false)
    expect(await ask(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  it('saves before it acknowledges, listens on a private socket only, and gives the product no superuser', async () => {
    const server = await start('kept')
    const [settings] = await ask(
      server.url,
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        current_setting('full_page_writes') as pages, current_setting('data_checksums') as checksums,
        current_setting('listen_addresses') as tcp, (select rolsuper from pg_roles where rolname = current_user) as super`,
    )
    expect(settings).toEqual({ fsync: 'on', commit: 'on', pages: 'on', checksums: 'on', tcp: '', super: false })
    expect((await stat(server.folder)).mode & 0o777).toBe(0o700)
  })

  it.runIf(isRoot())('never runs as root', async () => {
    const server = await start('kept')
    const { pid } = (await postmasterOf(server))!
    expect((await stat(`/proc/${pid}`)).uid).not.toBe(0)
  })

  it('has its socket elsewhere when DATA_DIR is too long for one', async () => {
    const server = await start(`long/${'x'.repeat(120)}`)
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await rm((await postmasterOf(server))!.socketFolder, { recursive: true })
  })

  it.runIf(isRoot())('lets its user through to that socket where the folder above was not there yet', async () => {
    const runFolder = path.join(root, 'run', 'longhaul')
    const umask = process.umask(0o077)
    try {
      const folder = await ensureSocketFolder(
        { folder: '/'.padEnd(120, 'x'), cluster: '', programs: '', mark: '', user: undefined },
        runFolder,
      )
      expect((await stat(runFolder)).mode & 0o777).toBe(0o755)
      expect((await stat(folder)).mode & 0o777).toBe(0o700)
    } finally {
      process.umask(umask)
    }
  })

  it('takes paths with spaces, quotes and commas', async () => {
    const server = await start(`it's a "fine", $HOME`)
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a server shared by processes', () => {
  it('is created once when two start at the same time, and stopped by the last that leaves', async () => {
    const [one, two] = await Promise.all([startElsewhere('shared'), startElsewhere('shared')])
    expect([one.adopted, two.adopted].filter(Boolean)).toHaveLength(1)
    await kill(one.child, 'SIGTERM')
    expect(await ask(two.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await kill(two.child, 'SIGTERM')
    expect(await findPostmaster(path.join(two.folder, 'cluster'))).toBeUndefined()
  })

  it('outlives a killed process, is found again by the next, and then stops with it', async () => {
    const killed = await startElsewhere('shared')
    await ask(killed.url, 'create table survived as select 7 as number')
    await kill(killed.child)
    const next = await start('shared')
    expect(next.adopted).toBe(true)
    expect(await ask(next.url, 'select number from survived')).toEqual([{ number: 7 }])
    await next.stop()
    expect(await postmasterOf(next)).toBeUndefined()
  })
})

describe('a server that died', () => {
  it('is started again while the product runs, and the same pool continues', async () => {
    const words: string[] = []
    const server = await start('dying', { onProgress: (line) => words.push(line) })
    const database = openDatabase({ url: server.url, onError: () => undefined })
    await ask(server.url, 'create table acknowledged as select 1 as row')
    process.kill((await postmasterOf(server))!.pid, 'SIGKILL')
    await expect.poll(() => words.at(-1), { timeout: 15_000 }).toBe('The database server had died and runs again.')
    const { rows } = await database.pool.query<{ row: number }>('select row from acknowledged')
    expect(rows).toEqual([{ row: 1 }])
    await database.close()
  })

  it('starts when it was killed together with the process', async () => {
    const killed = await startElsewhere('dying')
    await ask(killed.url, 'create table both_killed as select 2 as row')
    const { pid } = (await findPostmaster(path.join(killed.folder, 'cluster')))!
    killed.child.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
    const next = await start('dying')
    expect(next.adopted).toBe(false)
    expect(await ask(next.url, 'select row from both_killed')).toEqual([{ row: 2 }])
  })

  it('waits for one that is dying and already silent, instead of using it', async () => {
    const server = await start('dying')
    const cluster = path.join(server.folder, 'cluster')
    const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8')
    await server.stop()
    const silent = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1500)', '--', '-D', cluster, '-c', 'x=y'])
    children.push(silent)
    await writeFile(path.join(cluster, 'postmaster.pid'), text.replace(/^\d+/, String(silent.pid)), { mode: 0o600 })
    const next = await start('dying')
    expect(next.adopted).toBe(false)
    expect(await ask(next.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('starts when its process id now belongs to another process, which is left alone', async () => {
    const server = await start('dying')
    const file = path.join(server.folder, 'cluster', 'postmaster.pid')
    const text = await readFile(file, 'utf8')
    await server.stop()
    const otherUser = spawn('sleep', ['60'])
    children.push(otherUser)
    await writeFile(file, text.replace(/^\d+/, String(otherUser.pid)), { mode: 0o600 })
    const again = await start('dying')
    expect(again.adopted).toBe(false)
    await again.stop()
    await sleep(50)
    expect(otherUser.exitCode ?? otherUser.signalCode).toBeNull()
  })
})

describe('a folder that was deleted', () => {
  it('does not hold up a new start, though its server still runs', async () => {
    const before = await start('reset')
    const { pid } = (await postmasterOf(before))!
    await rm(path.join(root, 'reset'), { recursive: true })
    const after = await start('reset')
    expect(after.adopted).toBe(false)
    expect((await postmasterOf(after))!.pid).not.toBe(pid)
  })
})

describe('what it says when it cannot start', () => {
  it('names the data that another major version wrote', async () => {
    const server = await start('old')
    await server.stop()
    await writeFile(path.join(server.folder, 'cluster', 'PG_VERSION'), '14\n')
    await expect(start('old')).rejects.toThrow('another major version of PostgreSQL')
    await writeFile(path.join(server.folder, 'cluster', 'PG_VERSION'), '18\n')
    expect(await ask((await start('old')).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('makes a whole database after one that was killed while it was made', async () => {
    const unfinished = path.join(root, 'half', 'database', 'cluster.new')
    await mkdir(unfinished, { recursive: true })
    await writeFile(path.join(unfinished, 'PG_VERSION'), '18\n')
    expect(await ask((await start('half')).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.runIf(isRoot())('names the full disk before it begins', async () => {
    const disk = path.join(root, 'small-disk')
    await mkdir(disk)
    if (!(await runAs(undefined, 'mount', ['-t', 'tmpfs', '-o', 'size=20m', 'longhaul-test', disk])).ok) return
    try {
      await expect(start('small-disk/data')).rejects.toThrow(/needs 150 MB in .*, and only \d+ MB are free/)
    } finally {
      await runAs(undefined, 'umount', [disk])
    }
  })
})

describe.runIf(isRoot())('as root', () => {
  const systemFolder = path.join(root, 'system')
  const hidden = path.join(root, 'home')

  it('puts the database where its user may go when DATA_DIR is under a home that it may not enter', async () => {
    await mkdir(hidden, { mode: 0o700 })
    const server = await start('home/data', { systemFolder })
    expect(server.folder.startsWith(systemFolder)).toBe(true)
    await ask(server.url, 'create table outside as select 3 as row')
    await server.stop()
    const again = await start('home/data', { systemFolder })
    expect(await ask(again.url, 'select row from outside')).toEqual([{ row: 3 }])
  })

  it('opens a DATA_DIR that only root may enter to the server alone', async () => {
    await mkdir(path.join(root, 'private'), { mode: 0o700 })
    const server = await start('private', { systemFolder })
    expect(server.folder).toBe(path.join(root, 'private', 'database'))
    expect((await stat(path.join(root, 'private'))).mode & 0o777).toBe(0o710)
  })

  it('starts afresh when DATA_DIR was deleted, and keeps the old database aside once', async () => {
    const before = await start('home/data', { systemFolder })
    await rm(path.join(hidden, 'data'), { recursive: true })
    const after = await start('home/data', { systemFolder })
    expect(await ask(after.url, `select to_regclass('outside') as outside`)).toEqual([{ outside: null }])
    expect(await readdir(systemFolder)).toContain(`${path.basename(before.folder)}.discarded`)
  })

  it('refuses a database that is not the one that DATA_DIR names', async () => {
    const server = await start('home/data', { systemFolder })
    await server.stop()
    await writeFile(path.join(server.folder, 'id'), 'another')
    await expect(start('home/data', { systemFolder })).rejects.toThrow('Restore that folder, or delete')
  })

  it('copies the programs when their user may not reach the packages, and fixes an installation without links', async () => {
    const user = await chooseServerUser()
    const packages = path.join(root, 'home', 'packages')
    await cp(findPackage(), packages, { recursive: true, verbatimSymlinks: true })
    await rm(path.join(packages, 'native/lib/libicui18n.so.60'))
    const copies = path.join(root, 'copies')
    const [binaries] = await Promise.all([
      prepareBinaries(user, copies, packages),
      prepareBinaries(user, copies, packages),
    ])
    expect(binaries!.postgres.startsWith(copies)).toBe(true)
    expect((await runAs(user, binaries!.initdb, ['--version'])).output).toContain('PostgreSQL')
    expect(await readdir(copies)).toHaveLength(1)
  })
})

describe.runIf(isRoot())('as an ordinary user', () => {
  const NOBODY = { uid: 65_534, gid: 65_534 }

  it('runs as that user, and as the same one when root starts it later', async ({ skip }) => {
    const user = { name: 'nobody', ...NOBODY }
    const mayRead = await runAs(user, 'test', ['-r', path.join(import.meta.dirname, 'embedded.ts')])
    skip(!mayRead.ok, 'an ordinary user may not read this checkout')
    await mkdir(path.join(root, 'plain'))
    await chmod(path.join(root, 'plain'), 0o777)
    const plain = await startElsewhere('plain/data', NOBODY)
    expect(plain.error).toBeUndefined()
    await ask(plain.url, 'create table plain as select 4 as row')
    await kill(plain.child, 'SIGTERM')
    const asRoot = await start('plain/data')
    expect(await ask(asRoot.url, 'select row from plain')).toEqual([{ row: 4 }])
    expect((await stat(`/proc/${(await postmasterOf(asRoot))!.pid}`)).uid).toBe(NOBODY.uid)
  })

  it('says whose data it is that it may not use', async ({ skip }) => {
    const user = { name: 'nobody', ...NOBODY }
    const mayRead = await runAs(user, 'test', ['-r', path.join(import.meta.dirname, 'embedded.ts')])
    skip(!mayRead.ok, 'an ordinary user may not read this checkout')
    const server = await start('kept')
    await server.stop()
    const plain = await startElsewhere('kept', NOBODY)
    expect(plain.error).toMatch(/belongs to the user with the id \d+\. Start as that user or as root/)
  })
})
