/**
 * Makes a message readable in a file. Quoted-printable (RFC 2045 section 6.7) splits links and inserts `=3D`, for
 * servers that transport seven bits. A file can have eight.
 */
export function asReadable(message: Buffer): Buffer {
  // Latin-1 maps bytes to characters one to one, both ways.
  const text = message.toString('latin1')
  const boundary = /boundary="([^"]+)"/.exec(text)?.[1]
  const delimiter = boundary === undefined ? undefined : `\r\n--${boundary}`
  const parts = delimiter === undefined ? [text] : text.split(delimiter)
  return Buffer.from(parts.map(decodePart).join(delimiter), 'latin1')
}

const QUOTED = /^content-transfer-encoding: *quoted-printable$/im

function decodePart(part: string): string {
  const end = part.indexOf('\r\n\r\n')
  const head = part.slice(0, end)
  if (end === -1 || !QUOTED.test(head)) return part
  const body = part
    .slice(end)
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return head.replace(QUOTED, 'Content-Transfer-Encoding: 8bit') + body
}
