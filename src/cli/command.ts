/** Defines a command: its name, parameters and function. Help and parsing both use it. */
import { z } from 'zod'

export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  /** Writes a line of output. */
  readonly say: (line: string) => void
  /** Writes a progress line, for people only. */
  readonly warn: (line: string) => void
  /** Asks the user, or reads the next line of piped input. Absent when there is neither. */
  readonly ask?: (question: string, echo?: 'hidden') => Promise<string>
}

export interface Parameter<S extends z.ZodType = z.ZodType> {
  /** Describes the parameter, for the help and the error message. */
  readonly takes: string
  readonly schema: S
  /** It is present or absent, and has no value. */
  readonly flag?: true
}

export type Parameters = Readonly<Record<string, Parameter>>
export type Values<P extends Parameters> = { readonly [K in keyof P]: z.output<P[K]['schema']> }

export interface Command<A extends Parameters = Parameters, O extends Parameters = Parameters> {
  /** One or two words. */
  readonly name: string
  readonly summary: string
  /** Notes for the user before they run it. */
  readonly notes?: string
  /** By position. */
  readonly args: A
  readonly options: O
  /** Returns the exit code, if it is not 0. */
  run(values: Values<A> & Values<O>, terminal: Terminal): Promise<number | void>
}

/** An expected failure, with its reason in words. */
export class CommandError extends Error {
  override readonly name = 'Refusal'
}

/** Checks the types between a command's parameters and its function. */
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

/** A parameter that is present or absent. */
export const flag = (takes: string) => ({ takes, schema: z.boolean().optional(), flag: true as const })

export const isOptional = ({ schema }: Parameter): boolean => schema.safeParse(undefined).success
