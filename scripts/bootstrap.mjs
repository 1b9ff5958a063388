/**
 * Every npm script enters here, with any installed Node (18 or newer). It installs the packages when they are missing
 * or differ from the lockfile. Then it hands over to `scripts/<command>.ts` under the Node of the packages. It prints
 * only to standard error: standard output belongs to the command.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_STARTER = 18
/** Runs `.ts` directly. */
const RUNTIME = 24

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const bin = path.join(root, 'node_modules', '.bin')
const [command = '', ...args] = process.argv.slice(2)

const majorVersion = (version) => Number(version.replace(/^v/, '').split('.')[0])
const say = (words) => process.stderr.write(`${words}\n`)
const giveUp = (words) => {
  say(words)
  process.exit(1)
}

if (majorVersion(process.version) < OLDEST_STARTER) {
  giveUp(
    `Longhaul needs Node.js ${OLDEST_STARTER} or newer to start; this is ${process.version}. Install a newer one from your system or from nodejs.org.`,
  )
}
if (!/^[a-z0-9]+$/.test(command) || !existsSync(path.join(root, 'scripts', `${command}.ts`))) {
  giveUp(`There is no command "${command}". Run npm start, npm run dev, npm test, npm run check or npm run build.`)
}

if (!isInstalled()) install()
hand(findRuntime())

/** Compares with the file that npm writes when it has finished: a half installed folder has none. */
function isInstalled() {
  try {
    const wanted = readPackages('package-lock.json')
    const present = readPackages('node_modules/.package-lock.json')
    return Object.entries(wanted).every(
      ([place, entry]) =>
        place === '' || present[place]?.version === entry.version || (!present[place] && entry.optional),
    )
  } catch {
    return false
  }
}

function readPackages(file) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages
}

function install() {
  say('Installing packages (npm ci). This takes a minute or two, once ...')
  const began = Date.now()
  if (npm('ci') !== 0) {
    // npm ci rejects a lockfile that leaves out optional packages of other platforms, as one does that was written
    // against a registry without them. This installs the same locked versions and does not write the lockfile.
    say('npm ci refused; its own words are above. Trying npm install --no-save, which also keeps to the lockfile ...')
    if (npm('install', '--no-save') !== 0)
      giveUp('npm could not install the packages. It needs the network and about 1 GB of disk.')
  }
  if (!isInstalled())
    giveUp('npm installed other versions than package-lock.json names. Delete node_modules, then try again.')
  say(`Installed in ${Math.round((Date.now() - began) / 1000)} s.`)
}

function npm(...words) {
  // Regardless of NODE_ENV: the portal is built here, and the platform's binaries are optional packages.
  const npmArgs = [...words, '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const script = process.env.npm_execpath
  // Otherwise its standard output would end up in the command's.
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const outcome = script?.endsWith('.js')
    ? spawnSync(process.execPath, [script, ...npmArgs], options)
    : spawnSync('npm', npmArgs, options)
  if (outcome.error) giveUp(`npm cannot be run (${outcome.error.message}). Install it beside Node.js, then try again.`)
  return outcome.status
}

function findRuntime() {
  const packaged = path.join(bin, 'node')
  if (existsSync(packaged) && spawnSync(packaged, ['--version']).status === 0) return packaged
  if (majorVersion(process.version) >= RUNTIME) return process.execPath
  return giveUp(
    `Longhaul brings its own Node.js ${RUNTIME} for Linux (x64, arm64, with glibc) and macOS (arm64); this is ${os.platform()} ${os.arch()}. Install Node.js ${RUNTIME} yourself, then try again.`,
  )
}

/** The child gets every signal that we get, and we exit as it does. */
function hand(runtime) {
  const child = spawn(runtime, [path.join('scripts', `${command}.ts`), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
      NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'compile'),
    },
  })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']
  const forward = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, forward)
  child.on('error', (error) => giveUp(`${runtime} cannot be run: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    for (const own of signals) process.off(own, forward)
    process.kill(process.pid, signal)
  })
}
