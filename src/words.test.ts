import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/** Words that this code used to have for something, with the field's word for it. See docs/domain.md. */
const REPLACED: Readonly<Record<string, string>> = {
  appoint: 'grant a role',
  appointee: 'new staff member',
  complaint: 'issue',
  complaints: 'issues',
  dealt: 'dispatched',
  deed: 'action, auditMessage',
  deeds: 'actions',
  displaced: 'asn_changed',
  doubt: 'risk',
  doubted: 'at risk',
  duty: 'required role',
  duties: 'roles',
  favour: 'credit balance',
  letterhead: 'email header',
  letters: 'emails',
  linkless: 'missing token',
  news: 'change event, topics',
  occurrence: 'charge reference',
  raised: 'elevated',
  refusal: 'denial, rejection, error',
  refusals: 'errors',
  respite: 'grace',
  standing: 'billing status, dunning, usage to date',
  stretch: 'segment, step',
  tallies: 'counts, summaries',
  trail: 'audit log',
  trial: 'test app, pending configuration',
  unseal: 'decrypt',
  wish: 'desired state, input',
  wishes: 'desired states, commands',
}

/** Turns of phrase that no screen and no email has, with what they say instead. */
const PHRASES: Readonly<Record<string, string>> = {
  anew: 'again',
  'set-up': 'setup',
  'the trail': 'the audit log',
  whoever: 'name who: the customer, staff, the user',
}

/** Words of libraries, protocols and other people's data. */
const EXEMPT = /(^|\/)(route-tree\.gen|graphql-env\.d|novnc\.d)\.tsx?$|^src\/words\.test\.ts$/

const TOKENS = /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
const isComment = (token: string): boolean => token.startsWith('/*') || token.startsWith('//')
const root = path.join(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1e8,
})
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs|sql|css)$/.test(file) && !EXEMPT.test(file) && existsSync(path.join(root, file)))

const wordsOf = (name: string): string[] =>
  name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()) ?? []
const replaced = (name: string): string[] => wordsOf(name).filter((word) => Object.hasOwn(REPLACED, word))
const say = (where: string, word: string, table: Readonly<Record<string, string>>): string =>
  `${where} says "${word}": use ${table[word]!} (docs/domain.md)`

test('file names use the words of docs/domain.md', () => {
  const found = files.flatMap((file) => replaced(file).map((word) => say(file, word, REPLACED)))
  expect(found).toEqual([])
})

test('identifiers use the words of docs/domain.md', () => {
  const found = files
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
    .flatMap((file) => {
      const code = readFileSync(path.join(root, file), 'utf8').replaceAll(TOKENS, ' ')
      const names = new Set(code.match(/[A-Za-z_$][\w$]*/g))
      return [...names].flatMap((name) => replaced(name).map((word) => say(`${file}: ${name}`, word, REPLACED)))
    })
  expect(found).toEqual([])
})

test('screens and emails use plain English', () => {
  const found = files
    .filter((file) => /(\/portal\/.*|^src\/ui\/.*|emails?)\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8').replaceAll(TOKENS, (token) =>
        isComment(token) ? '' : token,
      )
      return Object.keys(PHRASES)
        .filter((phrase) => new RegExp(`\\b${phrase}\\b`, 'i').test(text))
        .map((phrase) => say(file, phrase, PHRASES))
    })
  expect(found).toEqual([])
})
