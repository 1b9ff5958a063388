import { createServer } from 'vite'
import { expect, test } from 'vitest'
import { ROOT } from '../planted/copy.ts'
import path from 'node:path'

test('the page of the development server has its styles and fonts', async () => {
  const server = await createServer({
    configFile: path.join(ROOT, 'vite.config.ts'),
    server: { port: 0, host: '127.0.0.1' },
    optimizeDeps: { noDiscovery: true },
    logLevel: 'silent',
  })
  try {
    await server.listen()
    const origin = server.resolvedUrls!.local[0]!
    const html = await (await fetch(origin, { headers: { accept: 'text/html' } })).text()
    const typeOf = async (link: string): Promise<string | null> => {
      const href = new RegExp(`<link[^>]*rel="${link}"[^>]*href="([^"]+)"`).exec(html)![1]!
      const response = await fetch(new URL(href, origin), { headers: { accept: 'text/css,*/*' } })
      await response.body?.cancel()
      return response.ok ? response.headers.get('content-type') : null
    }
    expect(await typeOf('stylesheet')).toBe('text/css')
    expect(await typeOf('preload')).toBe('font/woff2')
  } finally {
    await server.close()
  }
}, 60_000)
