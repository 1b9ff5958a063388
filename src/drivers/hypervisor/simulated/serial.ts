import { Duplex } from 'node:stream'
import type { SimulatedMachine } from './machine.ts'
import { hostnameOf, runInGuest } from './shell.ts'

const LINE_LIMIT = 1_000
const BACKSPACE = new Set(['\b', '\u007f'])

/** The far end of a serial cable: boot messages, then a shell that edits one line and runs it. */
export class SimulatedSerial extends Duplex {
  readonly #machine: SimulatedMachine
  readonly #boot: NodeJS.Timeout | undefined
  #line = ''

  constructor(machine: SimulatedMachine) {
    super({ allowHalfOpen: false })
    this.#machine = machine
    if (machine.booted) return
    this.#boot = setTimeout(() => this.#greet(), machine.bootLeftMs)
  }

  /** The machine was switched off, or another client took the console. */
  hangUp(): void {
    clearTimeout(this.#boot)
    this.push(null)
    setImmediate(() => this.destroy())
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#machine.booted) for (const character of chunk.toString('utf8')) this.#type(character)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#boot)
    done(error)
  }

  #greet(): void {
    this.#print(`VR-READY ${(this.#machine.uptimeMs / 1000).toFixed(2)}\n`)
    this.#print(`\n  ${hostnameOf(this.#machine)} - simulated router\n\n  Try: birdc show protocols\n\n`)
    this.#prompt()
  }

  #type(character: string): void {
    if (character === '\r' || character === '\n') {
      this.#print('\n')
      this.#run(this.#line.trim())
      this.#line = ''
      this.#prompt()
    } else if (character === '\u0003') {
      this.#line = ''
      this.#print('^C\n')
      this.#prompt()
    } else if (BACKSPACE.has(character)) {
      if (this.#line !== '') this.#print('\b \b')
      this.#line = this.#line.slice(0, -1)
    } else if (character >= ' ' && this.#line.length < LINE_LIMIT) {
      this.#line += character
      this.#print(character)
    }
  }

  #run(line: string): void {
    if (line === '') return
    const { stdout, stderr } = runInGuest(this.#machine, line.split(/\s+/))
    this.#print(stdout + stderr)
  }

  #prompt(): void {
    this.#print(`${hostnameOf(this.#machine)}# `)
  }

  #print(text: string): void {
    this.push(Buffer.from(text.replaceAll('\n', '\r\n')))
  }
}
