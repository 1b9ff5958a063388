import bidiFactory from 'bidi-js'

/** Built when a text first needs it. */
let built: ReturnType<typeof bidiFactory> | undefined
const bidi = () => (built ??= bidiFactory())

/** The level of each UTF-16 unit; odd ones run from right to left. A text runs as its first letter that tells. */
export const levelsOf = (text: string): Uint8Array => bidi().getEmbeddingLevels(text).levels

/** The sign that looks like this one seen from the other side, if there is one: a bracket opens where the line begins. */
export const mirrorOf = (char: string): string | null => bidi().getMirroredCharacter(char)
