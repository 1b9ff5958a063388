/** The conditions that keep one customer from another's rows, as they are written in the sources. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface Condition {
  readonly file: string
  /** File and function, to find it. */
  readonly place: string
  readonly start: number
  readonly text: string
}

const BUILDER = /\.where\('(?:\w+\.)?user_id', '=', [^()]*(?:\([^()]*\)[^()]*)*\)/
const RAW = /(?<=\bwhere )(?:\w+\.)?user_id = \$\{[^}]*\}| and (?:\w+\.)?user_id = \$\{[^}]*\}/
const CONDITION = new RegExp(`${BUILDER.source}|${RAW.source}`, 'g')
/** Jobs, staff and the command line read over all customers by design. */
const NOT_OF_CUSTOMERS = /\.test\.|testing|seed|demo|\/portal\/|-job\.ts|\/staff\/|src\/admin|src\/cli/

export const findConditions = (root: string): Condition[] =>
  globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !NOT_OF_CUSTOMERS.test(file))
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8')
      return [...text.matchAll(CONDITION)].map((match): Condition => {
        const name = [...text.slice(0, match.index).matchAll(/\b(?:function|const) (\w+)/g)].at(-1)?.[1] ?? ''
        return { file, place: `${file} ${name}`, start: match.index, text: match[0] }
      })
    })

/** The source where `globalThis.isConditionRemoved` decides, each time, whether the condition is there. */
export function switchable(text: string, { start, text: condition }: Condition, number: number): string {
  const off = `(globalThis as any).isConditionRemoved?.(${number})`
  const switched = condition.startsWith('.')
    ? // Without the types of the builders: nothing checks the copy.
      condition.replace(
        /^\.where\(([\s\S]*)\)$/,
        (_, rest: string) => `.where(...(${off} ? [TRUE] : [${rest}]) as any)`,
      )
    : condition.replace(/(?:\w+\.)?user_id = \$\{[^}]*\}/, (comparison) => `(\${${off} === true} or ${comparison})`)
  return text.slice(0, start) + switched + text.slice(start + condition.length)
}

/** A file that has such conditions, with what they need. */
export const withSwitches = (text: string): string =>
  `import { sql as sqlOfSwitched } from 'kysely'\nconst TRUE = sqlOfSwitched\`true\`\n${text}`
