import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readSources } from './two-sheets.ts'

test('a file belongs to the first sheet when one of its lines names it and none excludes it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sheets-'))
  try {
    const sheet = path.join(folder, 'styles', 'first.css')
    const isFirst = await write(
      sheet,
      "@source '../ui/{Button,Icon}.tsx';\n@source '../*.ts';\n@source not '../old.ts';\n",
    )
    const named = ['ui/Button.tsx', 'main.ts', 'ui/Dialog.tsx', 'old.ts'].filter((file) =>
      isFirst(path.join(folder, file)),
    )
    expect(named).toEqual(['ui/Button.tsx', 'main.ts'])
  } finally {
    await rm(folder, { recursive: true })
  }
})

async function write(sheet: string, text: string): Promise<(file: string) => boolean> {
  await mkdir(path.dirname(sheet), { recursive: true })
  await writeFile(sheet, text)
  return readSources(sheet)
}

test('the portal’s own first sheet names its entry and the sign-in screen, and no screen of staff', () => {
  const isFirst = readSources(path.resolve('src/portal/styles/first.css'))
  const is = (file: string) => isFirst(path.resolve('src', file))
  expect(is('portal/main.tsx')).toBe(true)
  expect(is('accounts/portal/LoginPage.tsx')).toBe(true)
  expect(is('admin/portal/UserListPage.tsx')).toBe(false)
})
