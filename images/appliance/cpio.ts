/** Writes the archive that Linux unpacks as its first root (newc format, Documentation/driver-api/early-userspace/buffer-format). */

export type RootEntry =
  | { readonly kind: 'directory'; readonly mode: number }
  | { readonly kind: 'file'; readonly mode: number; readonly content: Buffer }
  | { readonly kind: 'link'; readonly target: string }

/** Paths without a leading slash, in the order in which they were added. */
export type RootTree = Map<string, RootEntry>

/** Owner is always root and every date is zero: equal trees give equal bytes, whoever builds them. */
export function writeCpio(tree: RootTree): Buffer {
  const parts: Buffer[] = []
  const names = [...tree.keys()].sort()
  for (const [index, name] of names.entries()) parts.push(...encodeEntry(name, tree.get(name)!, index + 1))
  parts.push(...encode('TRAILER!!!', 0, 0, Buffer.alloc(0)))
  return Buffer.concat(parts)
}

/** Adds a file or link together with the directories above it. */
export function addEntry(tree: RootTree, path: string, entry: RootEntry): void {
  const parents = path.split('/').slice(0, -1)
  for (const [index] of parents.entries()) {
    const parent = parents.slice(0, index + 1).join('/')
    if (!tree.has(parent)) tree.set(parent, { kind: 'directory', mode: 0o755 })
  }
  tree.set(path, entry)
}

function encodeEntry(name: string, entry: RootEntry, inode: number): Buffer[] {
  switch (entry.kind) {
    case 'directory':
      return encode(name, 0o040000 | entry.mode, inode, Buffer.alloc(0))
    case 'file':
      return encode(name, 0o100000 | entry.mode, inode, entry.content)
    case 'link':
      return encode(name, 0o120777, inode, Buffer.from(entry.target))
  }
}

function encode(name: string, mode: number, inode: number, content: Buffer): Buffer[] {
  const path = Buffer.from(`${name}\0`)
  const fields = [inode, mode, 0, 0, 1, 0, content.length, 0, 0, 0, 0, path.length, 0]
  const header = Buffer.from(`070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`)
  return [header, path, padding(header.length + path.length), content, padding(content.length)]
}

function padding(length: number): Buffer {
  return Buffer.alloc((4 - (length % 4)) % 4)
}
