import { readFileSync, globSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { PROBLEM_CODES } from '../../kernel/problem-codes.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const server = globSync('**/*.ts', { cwd: ROOT })
  .filter((file) => !/test|portal\/|^ui\/|problem-codes/.test(file))
  .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))

it.each(Object.keys(PROBLEM_CODES))('%s is a code that the server gives out', (code) => {
  expect(server.some((text) => text.includes(`'${code}'`))).toBe(true)
})
