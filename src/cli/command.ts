/** What a command is: its words, what it takes, and what it does. Help and parsing both come from here. */
import { z } from 'zod'

export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  /** A line of the answer. */
  readonly say: (line: string) => void
  /** A line about how it goes, for people alone. */
  readonly warn: (line: string) => void
  /** Asks whoever sits there, or reads the next line that is piped in. Not there when there is neither. */
  readonly ask?: (question: string, echo?: 'hidden') => Promise<string>
}

export interface Parameter<S extends z.ZodType = z.ZodType> {
  /** What it takes, in words: the help, and the error message. */
  readonly takes: string
  readonly schema: S
  /** Said or not said: it has no value. */
  readonly flag?: true
}

export type Parameters = Readonly<Record<string, Parameter>>
export type Values<P extends Parameters> = { readonly [K in keyof P]: z.output<P[K]['schema']> }

export interface Command<A extends Parameters = Parameters, O extends Parameters = Parameters> {
  /** One or two words. */
  readonly name: string
  readonly summary: string
  /** What a person should know before using it. */
  readonly notes?: string
  /** By position. */
  readonly args: A
  readonly options: O
  /** Answers the exit code where it is not 0. */
  run(values: Values<A> & Values<O>, terminal: Terminal): Promise<number | void>
}

/** Refused, with the reason in words. */
export class CommandError extends Error {
  override readonly name = 'Refusal'
}

/** Checks the types between what a command takes and what it does with it. */
export const defineCommand = <const A extends Parameters, const O extends Parameters>(
  command: Command<A, O>,
): Command => command as unknown as Command

export const text = (takes: string) => ({ takes, schema: z.string().trim().min(1).max(200) })
export const wholeNumber = (takes: string, least = 1) => ({
  takes,
  schema: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().int().min(least)),
})
export const choice = <const W extends readonly [string, ...string[]]>(...words: W) => ({
  takes: words.join(' or '),
  schema: z.enum(words),
})
export const optional = <S extends z.ZodType>({ takes, schema }: Parameter<S>) => ({ takes, schema: schema.optional() })

/** Said or not said. */
export const flag = (takes: string) => ({ takes, schema: z.boolean().optional(), flag: true as const })

export const isOptional = ({ schema }: Parameter): boolean => schema.safeParse(undefined).success
