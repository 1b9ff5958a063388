import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const HERE = import.meta.dirname

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.each([
  ['waits for it', ''],
  ['exits at once', `import ${JSON.stringify(path.join(HERE, 'checks/processes.ts'))}`],
])('a build of the image ends, with its tools, when the script is asked to end that %s', async (_, exits) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'build-process-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const pids = path.join(folder, 'pids')
  writeFileSync(pids, '')
  writeFileSync(path.join(folder, 'apt-cache'), `#!/bin/sh\necho $PPID $$ >> ${pids}\nexec sleep 300\n`, {
    mode: 0o755,
  })
  const script = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `${exits}
        import { runBuild } from ${JSON.stringify(path.join(HERE, 'build-process.ts'))}
        if (!(await runBuild(['images/appliance/build.ts', '--out', ${JSON.stringify(folder)}]))) process.exit(3)`,
    ],
    {
      stdio: 'ignore',
      cwd: path.join(HERE, '..'),
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    },
  )
  const ended = once(script, 'exit')
  const started = () => readFileSync(pids, 'utf8').split(/\s/).filter(Boolean).map(Number)
  await expect.poll(started, { timeout: 30_000 }).toHaveLength(2)
  expect(started().map(isAlive)).toEqual([true, true])
  script.kill('SIGTERM')
  expect(await ended).toEqual([exits ? 1 : 3, null])
  await expect.poll(() => started().some(isAlive), { timeout: 10_000 }).toBe(false)
})
