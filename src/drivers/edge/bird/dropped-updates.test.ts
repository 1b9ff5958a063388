import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DroppedUpdates } from './dropped-updates.ts'

let directory: string
let log: string
let dropped: DroppedUpdates
const NOW = new Date('2026-11-22T12:00:00')
const UP = new Date('2026-11-22T11:30:00')
const remote = (time: string, text: string, protocol = 'lh_c10_v4') =>
  `2026-11-22 ${time}.348 <RMT> ${protocol}: ${text}\n`
const read = async (protocol = 'lh_c10_v4') =>
  Object.fromEntries([...(await dropped.of(protocol, UP, NOW))].map(([prefix, { rejection }]) => [prefix, rejection]))

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'lh-dropped-'))
  log = path.join(directory, 'bird.log')
  dropped = new DroppedUpdates(log)
})
afterEach(() => rm(directory, { recursive: true }))

test('names why each prefix was dropped, in lines that arrive in pieces', async () => {
  expect(await read()).toEqual({})
  const text =
    remote('11:40:00', 'Malformed AS_PATH attribute - AS_CONFED_SET segment (4) at 6') +
    remote('11:40:00', 'Invalid route 45.30.1.0/24 withdrawn') +
    remote('11:40:00', 'Invalid route 2d10:1::/32 withdrawn') +
    remote('11:40:01', 'Route leak detected - OTC attribute from downstream') +
    remote('11:40:01', 'Invalid route 45.30.2.0/24 withdrawn')
  await writeFile(log, text.slice(0, 200))
  await read()
  await appendFile(log, text.slice(200))
  expect(await read()).toEqual({ '45.30.1.0/24': 15, '2d10:1::/32': 15, '45.30.2.0/24': 16 })
  expect(await read('lh_c11_v4')).toEqual({})
})

test('forgets what was before the session came up, and what is older than an hour', async () => {
  await writeFile(log, remote('11:20:00', 'Invalid route 45.30.1.0/24 withdrawn'))
  expect(await read()).toEqual({})
  expect((await dropped.of('lh_c10_v4', new Date('2026-11-22T11:00:00'), NOW)).size).toBe(1)
  expect((await dropped.of('lh_c10_v4', new Date(0), new Date('2026-11-22T13:00:00'))).size).toBe(0)
})

test('follows the log when BIRD turns it', async () => {
  await writeFile(log, remote('11:40:00', 'Invalid route 45.30.1.0/24 withdrawn'))
  await read()
  await rename(log, `${log}.old`)
  await writeFile(log, remote('11:41:00', 'Invalid route 45.30.2.0/24 withdrawn'))
  expect(Object.keys(await read())).toEqual(['45.30.1.0/24', '45.30.2.0/24'])
})

test('keeps no more than a thousand prefixes of a session, and believes no other line', async () => {
  const lines = Array.from({ length: 1_500 }, (_, n) =>
    remote('11:40:00', `Invalid route 45.${30 + (n >> 8)}.${n & 255}.0/24 withdrawn`),
  )
  await writeFile(
    log,
    `${remote('11:40:00', 'Invalid route 1.2.3.4/99 withdrawn')}${remote('11:40:00', 'Received: Invalid route 1.2.3.0/24 withdrawn')}x${lines.join('')}`,
  )
  expect(Object.keys(await read())).toHaveLength(1_000)
})

describe('of an upstream', () => {
  const upstream = (time: string, text: string, name = 'upstream1_v4') => remote(time, text, name)
  const refused = async (now = NOW) =>
    (await dropped.ofOthers(now)).rejections.map(({ upstream: name, prefix, rejection }) => [name, prefix, rejection])

  test('keeps what was dropped and why for a day, also without a prefix, and not under the name of a customer', async () => {
    await writeFile(
      log,
      upstream('11:40:00', 'Malformed AS_PATH attribute - AS_CONFED_SEQUENCE segment (3) at 6') +
        upstream('11:40:00', 'Invalid route 45.30.1.0/24 withdrawn') +
        upstream('11:41:00', 'Malformed ORIGIN attribute - invalid length', 'carrier.b:v6') +
        remote('11:42:00', 'Invalid route 45.30.9.0/24 withdrawn') +
        upstream('11:42:00', 'Invalid route 45.30.9.0/24 withdrawn', 'lh_of_nobody'),
    )
    expect(await refused()).toEqual([
      ['carrier.b:v6', null, 17],
      ['upstream1_v4', '45.30.1.0/24', 15],
    ])
    expect(await refused(new Date('2026-11-23T11:40:30'))).toHaveLength(1)
    expect(Object.keys(await read())).toEqual(['45.30.9.0/24'])
  })

  test('keeps the last twenty of each, so that one that sends rubbish hides no other', async () => {
    const rubbish = Array.from({ length: 1_000 }, (_, n) =>
      upstream('11:50:00', `Invalid route 45.${30 + (n >> 8)}.${n & 255}.0/24 withdrawn`),
    )
    await writeFile(log, [upstream('11:40:00', 'Invalid route 45.40.1.0/24 withdrawn', 'other'), ...rubbish].join(''))
    const kept = await refused()
    expect(kept).toHaveLength(21)
    expect(kept.at(-1)).toEqual(['other', '45.40.1.0/24', 17])
  })

  test('says why the log cannot be read, and no more once it can', async () => {
    expect((await dropped.ofOthers(NOW)).logError).toBe(`BIRD’s log ${log} (EDGE_LOG) cannot be read: ENOENT.`)
    await writeFile(log, '')
    expect((await dropped.ofOthers(NOW)).logError).toBeNull()
  })

  test('reads each line once, however many ask at the same time', async () => {
    await writeFile(log, '')
    await refused()
    await appendFile(log, upstream('11:40:00', 'Invalid route 45.30.1.0/24 withdrawn'))
    await Promise.all([refused(), refused(), read()])
    await appendFile(log, upstream('11:41:00', 'Invalid route 45.30.2.0/24 withdrawn'))
    expect(await refused()).toHaveLength(2)
  })
})
