import { expect, test } from 'vitest'
import { chunksOf, filesOf, type Manifest } from './first-load.ts'

const chunk = (file: string, imports: string[] = [], css: string[] = []) => ({ file, imports, css })
const LAYOUT = '../../routes/_signed-in.tsx'
const PAGE = '../../routes/page.tsx'
const manifest: Manifest = {
  'index.html': { ...chunk('index.js', ['_vendor.js'], ['index.css']), isEntry: true },
  '_vendor.js': chunk('vendor.js'),
  '_parts.js': chunk('parts.js', ['_vendor.js', '_circle.js'], ['parts.css']),
  '_circle.js': chunk('circle.js', ['_parts.js']),
  'Chart.tsx': chunk('chart.js', ['_vendor.js']),
  [`${PAGE}?tsr-split=component---loader`]: chunk('page.js', ['_parts.js']),
}

test('a screen fetches the entry, its route and what they import, each file once, also where imports go in a circle', () => {
  const files = filesOf(manifest, chunksOf(manifest, [PAGE]))
  expect([...files].toSorted()).toEqual([
    'circle.js',
    'index.css',
    'index.js',
    'page.js',
    'parts.css',
    'parts.js',
    'vendor.js',
  ])
})

test('what is imported later does not count', () => {
  expect(filesOf(manifest, chunksOf(manifest, [PAGE]))).not.toContain('chart.js')
})

test('a layout without a chunk of its own is in the entry', () => {
  expect(chunksOf(manifest, [LAYOUT, PAGE])).toEqual(['index.html', `${PAGE}?tsr-split=component---loader`])
})

test('a chunk that the build does not have is an error and not nothing', () => {
  expect(() => filesOf({ ...manifest, '_parts.js': chunk('parts.js', ['_gone.js']) }, ['_parts.js'])).toThrow(
    '_gone.js',
  )
})
