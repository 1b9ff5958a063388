import bidiFactory from 'bidi-js'

/** Created when a text first needs it. */
let built: ReturnType<typeof bidiFactory> | undefined
const bidi = () => (built ??= bidiFactory())

/**
 * Returns the level of each UTF-16 unit; odd levels run from right to left. The first strong character sets the
 * direction of the text.
 */
export const levelsOf = (text: string): Uint8Array => bidi().getEmbeddingLevels(text).levels

/**
 * Returns the mirrored character, such as the other bracket, or null: an opening bracket opens where the line begins.
 */
export const mirrorOf = (char: string): string | null => bidi().getMirroredCharacter(char)
