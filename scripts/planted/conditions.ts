/** Finds the conditions that keep one customer from another's rows, as they are written in the sources. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface Condition {
  readonly file: string
  /** File and function, to find it. */
  readonly place: string
  readonly start: number
  readonly text: string
  readonly form: Form
}

/**
 * One form of a condition, and the same with a switch. The switch drops the builders' types, so the copy is not type
 * checked.
 */
interface Form {
  readonly pattern: RegExp
  readonly switched: (off: string, condition: string) => string
}

const COLUMN = String.raw`(?:\w+\.)?(?:user|account)_id`
/** What an expression without quotes may contain: one pair of parentheses at most. */
const VALUE = String.raw`[^()]*(?:\([^()]*\)[^()]*)*`

const argumentsOf = (condition: string): string => /\(([\s\S]*)\)$/.exec(condition)![1]!
const nameOf = (condition: string): string => /^\.(\w+)/.exec(condition)![1]!

const FORMS: readonly Form[] = [
  {
    // Also conditions on the account's own row, by its id.
    pattern: RegExp(
      String.raw`\.(?:where|filterWhere)\('(?:${COLUMN}', '(?:=|in)', ${VALUE}|(?:\w+\.)?id', '=', (?:\w+\.)*(?:user|account)(?:Id|_id))\)`,
    ),
    switched: (off, condition) => `.${nameOf(condition)}(...(${off} ? [TRUE] : [${argumentsOf(condition)}]) as any)`,
  },
  {
    pattern: RegExp(String.raw`\.(?:on|where)Ref\('${COLUMN}', '=', '[\w.]+'\)`),
    switched: (off, condition) => {
      const name = nameOf(condition)
      return `[${off} ? '${name.replace('Ref', '')}' : '${name}'](...(${off} ? [TRUE] : [${argumentsOf(condition)}]) as any)`
    },
  },
  {
    pattern: RegExp(String.raw`\beb\('${COLUMN}', '=', ${VALUE}\)`),
    switched: (off, condition) => `(${off} ? TRUE : ${condition} as any)`,
  },
  {
    pattern: RegExp(String.raw`\.(?:inner|left)Join\(\s*'[^']+',\s*'[\w.]+',\s*'[\w.]+',?\s*\)`),
    switched: (off, condition) => {
      const [table, ...columns] = [...condition.matchAll(/'[^']+'/g)].map(([text]) => text)
      return `.${nameOf(condition)}(${table}, (join: any) => ${off} ? join.on(TRUE) : join.onRef(${columns.join(", '=', ")}))`
    },
  },
  {
    pattern: RegExp(
      String.raw`(?<=\b(?:where|and|or) )(?:${COLUMN} = \$\{[^}]*\}|${COLUMN} = any\(\$\{[^}]*\}::int\[\]\))`,
    ),
    switched: (off, condition) => `(\${${off} === true} or ${condition})`,
  },
]

/** Jobs, staff and the command line read all customers' rows by design, except for some jobs that work for one. */
const NOT_OF_CUSTOMERS =
  /\.test\.|testing|seed|demo|\/portal\/|(?<!\/(?:import|reset|tell))-job\.ts|\/staff\/|\/staff-|src\/admin|src\/cli|\/revenue\/|\/loads\/|\/inventory\//
const OF_STAFF = [
  'src/accounts/owner.ts rows',
  'src/accounts/asn/verification.ts open',
  'src/accounts/impersonation/impersonation.ts customer',
  'src/accounts/impersonation/impersonation.ts customerOf',
  'src/accounts/support/target.ts user',
  'src/billing/invoices/resend.ts invoice',
  'src/routers/detail.ts user',
  'src/transit/configuration/await-edge.ts whereItIs',
  'src/transit/contact-links/send.ts owner',
  'src/transit/controls/limit-requests.ts rows',
  'src/transit/edges/connection-assignment.ts owners',
  'src/transit/edges/edge-lacks.ts signed',
  'src/transit/looking-glass/views.ts rows',
  'src/transit/maintenance/windows.ts named',
  'src/transit/prefixes/prefix-views.ts owner',
  'src/transit/sessions/down-sessions.ts latest',
  'src/transit/sessions/topology.ts rows',
]
const ofCustomer = (text: string): boolean => /(?:user|account)(?:_id|Id)/.test(text) && !text.includes('actor.userId')

export const findConditions = (root: string): Condition[] =>
  globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !NOT_OF_CUSTOMERS.test(file))
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8')
      return FORMS.flatMap((form) =>
        [...text.matchAll(RegExp(form.pattern, 'g'))].map((match): Condition => {
          const name = [...text.slice(0, match.index).matchAll(/\b(?:function|const) (\w+)/g)].at(-1)?.[1] ?? ''
          return { file, place: `${file} ${name}`, start: match.index, text: match[0], form }
        }),
      )
        .filter(({ place, text }) => ofCustomer(text) && !OF_STAFF.includes(place))
        .toSorted((a, b) => a.start - b.start)
    })

/** Returns the source in which `globalThis.isConditionRemoved` decides at run time whether the condition applies. */
export function switchable(text: string, { start, text: condition, form }: Condition, number: number): string {
  const off = `(globalThis as any).isConditionRemoved?.(${number})`
  return text.slice(0, start) + form.switched(off, condition) + text.slice(start + condition.length)
}

/** Returns a file with such conditions, with the import that its switches need. */
export const withSwitches = (text: string): string =>
  `import { sql as sqlOfSwitched } from 'kysely'\nconst TRUE = sqlOfSwitched\`true\`\n${text}`
